import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { JsonTokens } from "../../../../src/core/json/jsonTokens";
import { Token } from "../../../../src/core/json/token";

/** Returns kind and text of each token, with `!` after a string with an escape and a number with an exponent. */
function tokensOf(text: string): string[] {
  const tokens = new JsonTokens(text);
  const found: string[] = [];
  for (let kind = tokens.next(); kind !== Token.end; kind = tokens.next()) {
    const sign = tokens.isSpecial ? "!" : "";
    found.push(`${Token[kind]} ${text.slice(tokens.start, tokens.end)}${sign}`);
  }
  assert.equal(tokens.start, text.length);
  return found;
}

const kinds: readonly [texts: string, kind: string][] = [
  ['"" "a" "\u0000" "😀" "__proto__"', "string"],
  ["0 -0 -12 12.50 9007199254740993", "number"],
  ["true false null", "literal"],
  ["tru nulls true1 null$ undefined é", "unknown"],
  ["01 1. .5 1.2.3 0x1F 1e 1e+ -  +1 12a 1_000", "unknown"],
];

describe("the tokens of a text", () => {
  for (const [texts, kind] of kinds) {
    it(`are each of the kind ${kind}: ${JSON.stringify(texts)}`, () => {
      const expected = texts.split(/ +/).map((text) => `${kind} ${text}`);
      assert.deepEqual(tokensOf(texts), expected);
    });
  }

  it("mark strings with escapes and numbers with exponents", () => {
    assert.deepEqual(tokensOf(String.raw`"\"" "\u0061\\" 1e5 -1.5E-3`), [
      String.raw`string "\""!`,
      String.raw`string "\u0061\\"!`,
      "number 1e5!",
      "number -1.5E-3!",
    ]);
  });

  it("of invalid JSON end where the next one may begin", () => {
    assert.deepEqual(tokensOf("['it\\'s', // to the end\n/* c */ \"open\n, /* open"), [
      "openBracket [",
      "string 'it\\'s'",
      "comma ,",
      "comment // to the end",
      "comment /* c */",
      'string "open',
      "comma ,",
      "unknown /* open",
    ]);
  });

  it("may skip the rest of a long string", () => {
    const tokens = new JsonTokens(`["${"x".repeat(1_000_000)}"]`);
    tokens.next(10);
    tokens.next(10);
    assert.ok(tokens.end - tokens.start > 10 && tokens.end < 1000);
  });

  it("are read to the end for millions of characters or levels", () => {
    assert.equal(tokensOf(`"${"x".repeat(11_000_000)}"`).length, 1);
    assert.equal(tokensOf("9".repeat(2_000_000)).length, 1);
    assert.equal(tokensOf("[".repeat(100_000)).length, 100_000);
  });
});
