import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import { escapedOffsets, unescapedText } from "../../../../src/core/json/jsonEscapes";

describe("unescapedText", () => {
  const cases: [text: string, read: string][] = [
    ["plain", "plain"],
    ["a\\nb\\u00E4\\/\\\\n", "a\nbä/\\n"],
    ["\\ud83d\\ude00", "😀"],
    ["\\ud83d", "\ufffd"],
    ["\\x \\u12 \\u12g4 \\", "\\x \\u12 \\u12g4 \\"],
  ];
  for (const [text, read] of cases) {
    it(`reads ${JSON.stringify(read)} from ${JSON.stringify(text)}`, () =>
      assert.equal(unescapedText(text), read));
  }

  it("reads what JSON.parse reads, and maps every character to its spelling", () => {
    const spelled = fc.array(
      fc.constantFrom(
        "a",
        "ä",
        "中",
        " ",
        "\\n",
        '\\"',
        "\\\\",
        "\\/",
        "\\u0041",
        "\\u4E2d",
        "\\t",
      ),
    );
    fc.assert(
      fc.property(spelled, (pieces) => {
        const text = pieces.join("");
        const read = unescapedText(text);
        assert.equal(read, JSON.parse(`"${text}"`));
        const starts = escapedOffsets(text, [...[...read, ""].keys()]);
        let at = 0;
        for (const [index, piece] of pieces.entries()) {
          assert.equal(starts[index], at);
          at += piece.length;
        }
        assert.equal(starts.at(-1), text.length);
      }),
      { numRuns: 500 },
    );
  });
});
