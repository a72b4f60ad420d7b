import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonValue } from "../../../../src/core/json/jsonValue";
import {
  fillTitle,
  type MakeSample,
  payloadTemplate,
  payloadTemplates,
  type TemplateKind,
  templateTitle,
} from "../../../../src/core/payload/payloadTemplates";
import { testableSchema } from "../../../../src/core/schema/read/testableSchema";
import { samplePayload } from "../../../../src/core/schema/sample/samplePayload";
import { english } from "../../../../src/core/text/language";
import { bareSkill } from "../../../fixtures/skillDetail";

const schema: JsonValue = {
  type: "object",
  required: ["a"],
  properties: { a: { const: 1 }, b: { const: 2 } },
};
const skill = (inputs: JsonValue[], inputSchema: JsonValue | undefined = schema) => ({
  ...bareSkill,
  inputSchema,
  examples: inputs.map((input, index) => ({ name: `$(flame) ${index}`, input })),
});

const sample: MakeSample = async ({ inputSchema }, options) =>
  samplePayload(testableSchema(inputSchema), options, english);

describe("the templates for a payload", () => {
  it("are examples, then required properties, then all", async () => {
    const kinds = await payloadTemplates(skill([{ a: 5 }, { a: 6 }]), sample);
    assert.deepEqual(
      kinds.map(({ kind, value }) => [kind, value]),
      [
        [0, { a: 5 }],
        [1, { a: 6 }],
        ["minimal", { a: 1 }],
        ["full", { a: 1, b: 2 }],
      ],
    );
  });

  it("contain the same payload only once, under its example's number", async () => {
    const all = skill([{ a: 1, b: 2 }, { a: 1 }, { a: 1 }]);
    assert.deepEqual(
      (await payloadTemplates(all, sample)).map(({ kind }) => kind),
      [0, 1],
    );
    assert.deepEqual((await payloadTemplate(all, 2, sample))?.value, { a: 1 });
  });

  it("have titles that a label shows literally", () => {
    assert.doesNotMatch(templateTitle(skill([{}]), 0, english), /\$\(/);
  });

  it("are empty for a missing example", async () => {
    assert.equal(await payloadTemplate(skill([]), 0, sample), undefined);
  });

  it("make the editor fetch nothing, whatever the skill contains", async () => {
    const $schema = "https://example.com/schema.json";
    const lure = skill([{ $schema, a: 1 }], {
      type: "object",
      required: ["$schema"],
      properties: { $schema: { const: $schema }, b: { const: 2 } },
    });
    const templates = await payloadTemplates(lure, sample);
    assert.deepEqual(
      templates.map(({ value, removedSchema }) => [value, removedSchema]),
      [
        [{ a: 1 }, $schema],
        [{}, $schema],
        [{ b: 2 }, $schema],
      ],
    );
  });

  it("are one choice without schema and example", async () => {
    const bare = { ...bareSkill, inputSchema: undefined, examples: [] };
    assert.equal((await payloadTemplates(bare, sample)).length, 1);
  });
});

describe("the actions that fill a payload", () => {
  const titleOf = (kind: TemplateKind) => fillTitle(skill([{ a: 5 }]), kind, english);

  it("are named by their content, without a registry's icons", () => {
    assert.equal(titleOf("minimal"), "Fill with required properties");
    assert.equal(titleOf("full"), "Fill with all properties");
    assert.match(titleOf(0), /^Fill from example 1: /);
    assert.ok(!titleOf(0).includes("$(flame)"));
  });
});
