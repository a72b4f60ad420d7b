import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import { findSecrets } from "../../../../src/core/payload/findSecrets";

const letters = "aB3dE7gH1jK5mN9pQ2sT6vX0zY4cF8bW".repeat(2);
const ownKey = 'team"s/very\\own-key';
const secrets = fc.constantFrom(
  "-----BEGIN RSA PRIVATE KEY-----",
  `shub_user_${letters.slice(0, 20)}`,
  `skh_${"0123456789abcdef".repeat(4)}`,
  `sk_proj_${letters.slice(0, 24)}`,
  "AKIAQ3EGRXYZ2345ABCD",
  `ghp_${letters.slice(0, 36)}`,
  `AIza${letters.slice(0, 35)}`,
  ownKey,
);
const around = fc.string({ unit: fc.constantFrom(" ", "\n", "/", '"', "\\", "é", "😀", "{", ":") });

const short: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "/": "\\/",
  "\n": "\\n",
};

/** Spells each character in one of the ways JSON allows; `ways` are taken in turn. */
function spelled(text: string, ways: readonly number[]): string {
  return Array.from({ length: text.length }, (_, at) => {
    const character = text.charAt(at);
    const way = ways[at % ways.length] ?? 0;
    const hex = text.charCodeAt(at).toString(16).padStart(4, "0");
    if (way === 1) return `\\u${hex}`;
    if (way === 2) return `\\u${hex.toUpperCase()}`;
    const needed = character === '"' || character === "\\" || character === "\n";
    return way === 3 || needed ? (short[character] ?? character) : character;
  }).join("");
}

const anyWays = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 40 });

describe("a secret in a JSON text", () => {
  it("is marked exactly, however its string or name is spelled", () => {
    fc.assert(
      fc.property(
        secrets,
        around,
        around,
        anyWays,
        fc.boolean(),
        (secret, before, after, ways, isName) => {
          const inside = spelled(secret, ways);
          const front = `${isName ? '{"' : '["'}${spelled(before, ways)}`;
          const text = `${front}${inside}${spelled(after, ways)}${isName ? '": 1}' : '"]'}`;
          const parsed: unknown = JSON.parse(text);
          const [value] = isName ? Object.keys(parsed as object) : (parsed as string[]);
          assert.equal(value, before + secret + after);
          const found = findSecrets(text, [ownKey]);
          assert.deepEqual(
            found.map(({ start, end }) => [start, end]),
            [[front.length, front.length + inside.length]],
          );
        },
      ),
      { numRuns: 3_000 },
    );
  });
});
