import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { editForm } from "../../../../../src/core/form/editForm";
import { testableSchema } from "../../../../../src/core/schema/read/testableSchema";
import { samplePayload } from "../../../../../src/core/schema/sample/samplePayload";
import { english } from "../../../../../src/core/text/language";
import { fixesOf } from "../../payload/fixes/fixesOf";

const properties = {
  subject: { type: "string", minLength: 3 },
  email: { type: "string", format: "email" },
  prio: { enum: ["low", "high"] },
  kind: { enum: ["mail"] },
  lang: { type: "string", default: "de" },
  zone: { type: "string", examples: ["UTC", "CET"] },
  tags: { type: "array", minItems: 1, items: { type: "string", pattern: "^a+$" } },
  count: { type: "integer", minimum: 2 },
};
const schema = { type: "object", required: Object.keys(properties), properties };
const filled = {
  ...{ subject: "", email: "", prio: "", kind: "mail", lang: "de", zone: "UTC" },
  ...{ tags: [""], count: 2 },
};

describe("a value that neither the schema nor an example gives", () => {
  it("is an empty text in a payload for a person, or a number that stays, and its place is listed", () => {
    const options = { mode: "minimal", leavesTexts: true } as const;
    assert.deepEqual(samplePayload(testableSchema(schema), options, english), {
      value: filled,
      notes: [],
      empty: [["subject"], ["email"], ["prio"], ["tags", 0], ["count"]],
    });
  });

  it("is no number or truth value that the schema gives", () => {
    const given = {
      a: { const: 0 },
      b: { default: false },
      c: { type: "number", examples: [1.5] },
    };
    const read = testableSchema({ required: Object.keys(given), properties: given });
    const { empty } = samplePayload(read, { mode: "minimal", leavesTexts: true }, english);
    assert.deepEqual(empty, []);
  });

  it("is taken from an example of the skill", () => {
    const examples = [{ subject: "Hello", tags: ["aa"] }];
    const options = { mode: "minimal", examples, leavesTexts: true } as const;
    const { value } = samplePayload(testableSchema(schema), options, english);
    assert.deepEqual(value, { ...filled, subject: "Hello", tags: ["aa"] });
  });

  it("is an empty text in the fixes for missing properties", () => {
    const fixes = fixesOf("{}", schema);
    assert.deepEqual(JSON.parse(fixes["* Add all 8 that are missing"] ?? ""), filled);
    assert.deepEqual(JSON.parse(fixes['Add "subject"'] ?? ""), { subject: "" });
  });

  it("is an empty text in a value that is added in a form", () => {
    const edit = { what: "add", pointer: "/tags" } as const;
    const { text } = editForm(testableSchema(schema), { text: "{}", unread: {} }, edit);
    assert.deepEqual(JSON.parse(text), { tags: [""] });
  });
});
