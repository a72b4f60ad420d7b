import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { textHash } from "../../../../src/core/text/textHash";

describe("the hash of a text", () => {
  it("is equal for equal texts, and differs for 200,000 similar ones", () => {
    const texts = Array.from({ length: 200_000 }, (_, at) => `{"slug":"skill-${at}","rating":4.5}`);
    assert.equal(new Set(texts.map(textHash)).size, texts.length);
    assert.equal(textHash("a".repeat(3)), textHash("aaa"));
  });

  it("depends on the order and on the end of a text", () => {
    const texts = ["", "a", "ab", "ba", "ab\0", "\0ab", "aab"];
    assert.equal(new Set(texts.map(textHash)).size, texts.length);
  });
});
