import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { MakeSample } from "../../../../../src/core/payload/payloadTemplates";
import { samplePayload } from "../../../../../src/core/schema/sample/samplePayload";
import { sampleOfSchema } from "../../../../../src/core/skill/description/skillDescription";
import { english } from "../../../../../src/core/text/language";
import { fullSkill } from "../../../../fixtures/skillDetail";

const make: MakeSample = async ({ inputSchema }, options) =>
  samplePayload(inputSchema, options, english);
const object = (name: string) => ({ type: "object", properties: { [name]: { const: 1 } } });

describe("sampleOfSchema", () => {
  const skill = { ...fullSkill, inputSchema: object("in"), outputSchema: object("o\u202Eut") };

  it("makes what is taken, and what is returned, with nothing hidden in it", async () => {
    const { json, fits } = await sampleOfSchema(skill, "input", make);
    assert.deepEqual([JSON.parse(json.text), fits], [{ in: 1 }, true]);
    assert.match((await sampleOfSchema(skill, "output", make)).json.text, /"o\\u202Eut": 1/);
  });

  it("says where it may not fit", async () => {
    const { fits } = await sampleOfSchema({ ...skill, inputSchema: false }, "input", make);
    assert.equal(fits, false);
  });
});
