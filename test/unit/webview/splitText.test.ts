import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { splitText } from "../../../webview/skillHead";

describe("splitText", () => {
  const room = { characters: 20, lines: 3 };
  const cases: [string, string, string][] = [
    ["", "", ""],
    ["All of it fits.", "All of it fits.", ""],
    ["A few letters more than.", "A few letters more than.", ""],
    ["It goes on and on and on and on.", "It goes on and on", "and on and on."],
    ["x".repeat(50), "x".repeat(20), "x".repeat(30)],
    [`${"x".repeat(19)}\u{1F600}${"y".repeat(10)}`, "x".repeat(19), `\u{1F600}${"y".repeat(10)}`],
    ["a\nb\nc\nd\ne", "a\nb\nc", "d\ne"],
    ["a\nb\nc", "a\nb\nc", ""],
    ["\n".repeat(30), "", ""],
  ];
  for (const [text, start, rest] of cases) {
    it(`splits ${JSON.stringify(text)}`, () =>
      assert.deepEqual(splitText(text, room), { start, rest }));
  }
});
