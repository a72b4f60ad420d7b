import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import { linearRegExp } from "../../../../src/core/linearRegExp/linearRegExp";
import { parsePattern } from "../../../../src/core/linearRegExp/parsePattern";
import { textsForPattern } from "../../../../src/core/linearRegExp/textsForPattern";

describe("linearRegExp", () => {
  const kinds: [pattern: string, kind: "linear" | "native" | "malformed"][] = [
    ["^[a-z]+(?:-[a-z]+)*$", "linear"],
    ["^(?=.*\\d)(?!.*\\s).{8,}$", "linear"],
    ["^[\\w-.]+$", "linear"],
    ["a{,3}", "linear"],
    ["(?<year>\\d{4})", "linear"],
    ["\\p{Lu}\\P{L}\\u{1F600}\\ud83d\\ude00", "linear"],
    ["(a)\\1", "native"],
    ["(?<=a)b", "native"],
    ["a(?=b)", "native"],
    ["(?:a{100}){1000}", "native"],
    ["[", "malformed"],
    ["(?<a", "malformed"],
  ];
  for (const [pattern, kind] of kinds) {
    it(`reads ${pattern} as ${kind}`, () => assert.equal(linearRegExp(pattern).kind, kind));
  }

  it("parses every pattern to its end, even malformed ones", () => {
    for (const pattern of [
      "[a-z",
      "[",
      "[\\",
      "[\\]",
      "(?:",
      "(?<a",
      "a)",
      "(",
      "\\",
      "(?=[",
      "[^",
    ]) {
      assert.deepEqual([...textsForPattern(pattern, 0, 10)], [], pattern);
      assert.equal(parsePattern(pattern, true), undefined, pattern);
    }
    fc.assert(
      fc.property(arbitraryPattern, fc.nat(), fc.boolean(), (pattern, length, unicode) => {
        const cut = pattern.slice(0, length % (pattern.length + 1));
        if (parsePattern(cut, unicode) === undefined) return;
        for (const text of textsForPattern(cut, 0, 20)) assert.ok(text.length <= 20);
      }),
    );
  });

  it("does not expand a repetition of nothing", () => {
    assert.equal(linearRegExp("(?:){4000000000}(?:(?:){9}){4000000000}a").kind, "linear");
  });

  it("matches what the native engine matches", () => {
    let compared = 0;
    fc.assert(
      fc.property(arbitraryPattern, fc.array(arbitraryText, { minLength: 5 }), (pattern, texts) => {
        const read = linearRegExp(pattern);
        if (read.kind !== "linear") return;
        const native = nativeRegExp(pattern);
        for (const text of texts) {
          if (startsInsideOfCharacter(native, text)) continue;
          assert.equal(read.test(text), native.test(text), JSON.stringify([pattern, text]));
          compared += 1;
        }
      }),
      { numRuns: 2000 },
    );
    assert.ok(compared > 10_000, `${compared} findings were compared`);
  });

  // For some patterns, the native engine would take longer than the universe has existed.
  const slow: [pattern: string, text: string, isFound: boolean][] = [
    ["^(a+)+$", `${"a".repeat(100_000)}!`, false],
    ["(a|aa)+$", `${"a".repeat(100_000)}!`, false],
    ["^(.*a){20}$", "a".repeat(10_000), true],
    ["(x+x+)+y", "x".repeat(100_000), false],
    ["^\\s+|\\s+$", `${" ".repeat(100_000)}x${" ".repeat(100_000)}x`, true],
    ["^(([a-z])+.)+[A-Z]([a-z])+$", "a".repeat(100_000), false],
  ];
  for (const [pattern, text, isFound] of slow) {
    it(`ends in time for ${pattern}`, () => {
      const read = linearRegExp(pattern);
      assert.ok(read.kind === "linear");
      assert.equal(read.test(text), isFound);
    });
  }
});

function nativeRegExp(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return new RegExp(pattern);
  }
}

/** Returns whether a match starts inside a surrogate pair: the native engine finds `\B` there, unlike the standard. */
function startsInsideOfCharacter(native: RegExp, text: string): boolean {
  const at = native.unicode ? (native.exec(text)?.index ?? 0) : 0;
  return /[\ud800-\udbff]/.test(text[at - 1] ?? "") && /[\udc00-\udfff]/.test(text[at] ?? "");
}

const arbitraryText = fc
  .array(fc.constantFrom("a", "b", "é", "😀", "1", "_", " ", "\n", "A", "-", "\ud83d", "/"), {
    maxLength: 8,
  })
  .map((parts) => parts.join(""));

const characters = [
  "a",
  "b",
  ".",
  "[ab]",
  "[^a]",
  "\\d",
  "\\w",
  "\\s",
  "\\W",
  "\\u0061",
  "é",
  "😀",
];
const others = [
  "\\b",
  "\\B",
  "^",
  "$",
  "\\p{L}",
  "[\\p{Lu}0]",
  "\\-",
  "\\n",
  "\\/",
  "\\x41",
  "[]",
  "[^]",
];
const quantifiers = ["*", "+", "?", "{2}", "{1,3}", "{0,2}?", "{2,}", "*?"];

const arbitraryPattern = fc.letrec<{ pattern: string }>((tie) => {
  const pattern = tie("pattern");
  const two = fc.tuple(pattern, pattern);
  return {
    pattern: fc.oneof(
      { depthSize: "medium" },
      { weight: 3, arbitrary: fc.constantFrom(...characters, ...others) },
      two.map(([left, right]) => `${left}${right}`),
      two.map(([left, right]) => `(?:${left}|${right})`),
      two.map(([left, right]) => `^(?=${left})(?!${right})`),
      fc
        .tuple(pattern, fc.constantFrom(...quantifiers))
        .map(([item, quantifier]) => `(?:${item})${quantifier}`),
    ),
  };
}).pattern;
