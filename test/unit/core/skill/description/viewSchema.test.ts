import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { readSchema } from "../../../../../src/core/schema/read/readSchema";
import { testableSchema } from "../../../../../src/core/schema/read/testableSchema";
import { samplePayload } from "../../../../../src/core/schema/sample/samplePayload";
import { schemaOutline } from "../../../../../src/core/schema/schemaOutline";
import {
  type SchemaSide,
  viewSchema,
} from "../../../../../src/core/skill/description/skillDescription";
import type { SkillDetail } from "../../../../../src/core/skill/skill";
import { english } from "../../../../../src/core/text/language";
import { fullSkill } from "../../../../fixtures/skillDetail";

const view = (skill: SkillDetail, side: SchemaSide) =>
  viewSchema(skill, side, {
    outline: async (schema) => schemaOutline(readSchema(schema), english),
    sample: async ({ inputSchema }, options) =>
      samplePayload(testableSchema(inputSchema), options, english),
  });
const object = (name: string) => ({ type: "object", properties: { [name]: { const: 1 } } });

describe("viewSchema", () => {
  const skill = {
    ...fullSkill,
    inputSchema: object("in"),
    outputSchema: object("o\u202Eut"),
    examples: [],
  };

  it("outlines input and output and makes examples of outputs without hidden characters", async () => {
    const input = await view(skill, "input");
    assert.deepEqual(
      input?.outline?.children.map(({ name }) => name),
      ["in"],
    );
    assert.equal(input?.sample, undefined);
    const output = await view(skill, "output");
    assert.match(output?.sample?.json.text ?? "", /"o\\u202Eut": 1/);
    assert.equal(output?.sample?.fits, true);
  });

  it("reports that an example may not fit", async () => {
    const output = await view({ ...skill, outputSchema: false }, "output");
    assert.equal(output?.sample?.fits, false);
  });

  it("makes no example if one exists, and nothing without a schema", async () => {
    const given = { ...skill, examples: [{ name: "", input: {}, output: { out: 1 } }] };
    assert.equal((await view(given, "output"))?.sample, undefined);
    assert.equal(await view({ ...skill, outputSchema: undefined }, "output"), undefined);
  });
});
