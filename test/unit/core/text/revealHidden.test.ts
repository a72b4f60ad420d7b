import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import { revealHidden, revealHiddenIn } from "../../../../src/core/text/plainText";

describe("revealHidden", () => {
  it("leaves no invisible character in any text", () => {
    const unit = fc.oneof(
      fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code)),
      fc.constantFrom("\u200B", "\u202E", "\u2066", "\u00AD", "\u{E0020}", "a", "ש"),
    );
    const hidden =
      /[\p{Cc}\p{Zl}\p{Zp}\u00AD\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E0FFF}]/u;
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        const shown = revealHidden(text).replace(/[\n\t]/g, "");
        assert.doesNotMatch(shown, hidden);
        assert.equal(revealHidden(shown), shown);
      }),
    );
  });

  it("keeps ordinary text", () => {
    for (const text of [
      "naïve café",
      "日本語",
      "שלום",
      "a\tb\nc",
      "é",
      "👩🏽\u200D🚀",
      "🏳\uFE0F",
    ]) {
      assert.equal(revealHidden(text), text);
    }
  });
});

describe("revealHiddenIn", () => {
  it("changes every text, and nothing else", () => {
    const value = { a: ["\u200B", 1, null, undefined, { b: "\u202E" }], c: true };
    assert.deepEqual(revealHiddenIn(value), {
      a: ["\\u200B", 1, null, undefined, { b: "\\u202E" }],
      c: true,
    });
  });
});
