import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { JsonTokens } from "../../../../src/core/json/jsonTokens";
import { Token } from "../../../../src/core/json/token";

const texts = [
  '{"name": "a \\"quoted\\" text", "é": [-1.5e3, 12345, true, false, null]}',
  '["\ud83d", "😀", "__proto__", "\\u0061\\\\"]',
  "[tru, nulls, 1.2.3, 0x1F, 'it\\'s', /* c */ 1] // end",
  '["open\n, "escaped\\\nbreak", "closed"',
  '"never closed\\',
  '"\u0000 \t" \u00a0 \ufeff /* open',
];

/** Kind and text of each token. */
function tokensOf(text: string, from = 0): string[] {
  const tokens = new JsonTokens(text, from);
  const found: string[] = [];
  for (let kind = tokens.next(); kind !== Token.end; kind = tokens.next()) {
    found.push(`${kind} ${text.slice(tokens.start, tokens.end)} ${tokens.isSpecial}`);
  }
  assert.equal(tokens.start, text.length);
  return found;
}

describe("the tokens of a text", () => {
  // Texts are read in parts, of which the first ends behind 256 characters and the next behind 1,280.
  for (const text of texts) {
    it(`are the same wherever a part ends: ${JSON.stringify(text)}`, () => {
      const expected = tokensOf(text);
      for (const part of [256, 1280]) {
        for (let before = part - text.length - 1; before <= part; before += 1) {
          assert.deepEqual(tokensOf(" ".repeat(before) + text), expected);
          assert.deepEqual(tokensOf(`x${" ".repeat(before)}${text}`, 1), expected);
        }
      }
      // What an earlier, longer part left behind is no part of the text.
      assert.deepEqual(tokensOf(`${'"",'.repeat(40_000)}${text}`).slice(80_000), expected);
    });
  }

  it("may leave the rest of a long string", () => {
    const tokens = new JsonTokens(`["${"x".repeat(1_000_000)}"]`);
    tokens.next(10);
    tokens.next(10);
    assert.ok(tokens.end - tokens.start > 10 && tokens.end < 1000);
  });

  it("are read to the end of what has millions of characters or levels", () => {
    assert.equal(tokensOf(`"${"x".repeat(11_000_000)}"`).length, 1);
    assert.equal(tokensOf("9".repeat(2_000_000)).length, 1);
    assert.equal(tokensOf("[".repeat(100_000)).length, 100_000);
  });
});
