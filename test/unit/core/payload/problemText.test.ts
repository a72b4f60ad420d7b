import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { problemText } from "../../../../src/core/payload/payloadCheck";
import { checkedText } from "./fixes/checkedText";

describe("a problem that is described without showing the payload", () => {
  const schema = {
    required: ["first"],
    additionalProperties: false,
    properties: {
      first: { type: "boolean" },
      "a key": { minimum: 2 },
      rows: { items: { required: ["id"], properties: { id: { type: "string" } } } },
    },
  };
  const cases: readonly (readonly [text: string, said: string])[] = [
    ["{}", '"first" is missing.'],
    ['{"first": "yes"}', "first: Must be true or false, not a string."],
    ['{"first": true, "a key": 1}', '"a key": Must be 2 or more.'],
    ['{"first": true, "rows": [{"id": 5}]}', "rows[0].id: Must be a string, not a number."],
    ['{"first": true, "rows": [{}]}', 'rows[0]: "id" is missing.'],
    ['{"first": true, "other": 1}', '"other" is not a known property.'],
  ];
  for (const [text, said] of cases) {
    it(`of ${text} is ${said}`, () => {
      const [problem] = checkedText(text, schema).problems;
      assert.equal(problem && problemText(problem), said);
    });
  }

  it("is short and on one line, with any property names", () => {
    const said = problemText({
      code: "type",
      message: "Must be a string, not a number.",
      severity: "error",
      start: 0,
      end: 1,
      pointer: `/${"a\n\u202e".repeat(1000)}`,
    });
    assert.ok(said.length < 130, said);
    assert.doesNotMatch(said, /[\n\u202e]/);
  });
});
