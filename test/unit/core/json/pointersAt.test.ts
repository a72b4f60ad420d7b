import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { pointersAt } from "../../../../src/core/json/jsonPointer";

/** A text with ^ before each requested character, and the resulting pointers. */
const cases: [what: string, text: string, expected: string[]][] = [
  ["the whole value", "^1", [""]],
  ["properties, also further into a string", '{"a": ^1, "b": "x^y"}', ["/a", "/b"]],
  ["items", '[1, [^2, "^3"]]', ["/1/0", "/1/1"]],
  ["what follows a closed value", '{"a": {"b": [1]}, "c": ^2}', ["/c"]],
  ["escaped names", String.raw`{"a\/b~": {"\u0063": ^1}}`, ["/a~1b~0/c"]],
  ["a name, which is of its object", '{"a": {"^b": 1}}', ["/a"]],
  ["broken JSON", "{a: [1 2, ^3,], // ]\n 'b': ^4", ["/a/1", "/'b'"]],
  ["brackets too many", ']}{"a": ^1', ["/a"]],
  ["a hundred levels", `${'{"a":'.repeat(100)}^1`, ["/a".repeat(100)]],
  ["more", `${'{"a":'.repeat(101)}^1`, [""]],
];

describe("the pointers at offsets of a text", () => {
  for (const [what, marked, expected] of cases) {
    it(`name ${what}`, () => {
      const parts = marked.split("^");
      const offsets = parts
        .slice(0, -1)
        .map((_, index) => parts.slice(0, index + 1).join("").length);
      assert.deepEqual(pointersAt(parts.join(""), offsets), expected);
    });
  }

  it("are empty after the end", () => {
    assert.deepEqual(pointersAt('{"a": 1}', [6, 20]), ["/a", ""]);
  });
});
