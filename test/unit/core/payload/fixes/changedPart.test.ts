import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { applyEdits, changedPart } from "../../../../../src/core/payload/fixes/textEdit";

describe("the part of a text that changed", () => {
  const cases: readonly (readonly [
    before: string,
    after: string,
    start: number,
    end: number,
    text: string,
  ])[] = [
    ["abc", "abc", 3, 3, ""],
    ["", "ab", 0, 0, "ab"],
    ["ab", "", 0, 2, ""],
    ['{"a": "One"}', '{"a": "Two"}', 7, 10, "Two"],
    ["aaa", "aa", 2, 3, ""],
    ["aa", "aaa", 2, 2, "a"],
    ["x\r\ny", "x\ny", 1, 3, "\n"],
    ["x\ry", "x\r\ny", 1, 2, "\r\n"],
    ["a\ud83d\ude00b", "a\ud83d\ude01b", 1, 3, "\ud83d\ude01"],
    ["a\ud83d\ude00b", "a\ud83c\ude00b", 1, 3, "\ud83c\ude00"],
  ];
  for (const [before, after, start, end, text] of cases) {
    it(`of ${JSON.stringify(before)} and ${JSON.stringify(after)}`, () => {
      const edit = changedPart(before, after);
      assert.deepEqual(edit, { start, end, text });
      assert.equal(applyEdits(before, [edit]), after);
    });
  }
});
