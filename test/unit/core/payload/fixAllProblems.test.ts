import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { fixAllProblems } from "../../../../src/core/payload/fixAllProblems";
import { applyEdits } from "../../../../src/core/payload/textEdit";
import { checkedText } from "./checkedText";

const schema = {
  type: "object",
  required: ["text", "mode", "name"],
  additionalProperties: false,
  properties: {
    text: { type: "string" },
    mode: { default: "fast", enum: ["fast", "exact"] },
    name: { type: "string" },
    top: { type: "integer" },
    tags: { type: "array", items: { type: "string" } },
  },
};

describe("fixing all that is unambiguous", () => {
  it("converts, renames, adds what the schema gives, and removes comments in one go", () => {
    const before = '{\n  "txet": "x", // mine\n  "top": "5",\n  "tags": "a",\n}';
    const input = checkedText(before, schema);
    const { edits, count } = fixAllProblems(input);
    const after = applyEdits(before, edits);
    assert.equal(after, '{\n  "mode": "fast",\n  "text": "x",\n  "top": 5,\n  "tags": ["a"]\n}');
    assert.equal(count, 6);
    const left = checkedText(after, schema).problems.map(({ data }) => data);
    assert.deepEqual(left, [{ kind: "missingProperty", name: "name" }]);
  });

  it("leaves alone what could be mended in more than one way", () => {
    const before = '{"text": "x", "mode": "slow", "name": "n", "other": 1}';
    assert.deepEqual(fixAllProblems(checkedText(before, schema)), { edits: [], count: 0 });
  });

  it("does not rename two names to one", () => {
    const before = '{"txt": "x", "tetx": "y", "mode": "fast", "name": "n"}';
    assert.deepEqual(fixAllProblems(checkedText(before, schema)).edits, []);
  });
});
