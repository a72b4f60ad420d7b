import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { unfilledSnippet } from "../../../../src/core/form/unfilledSnippet";

describe("the snippet of a payload with empty texts", () => {
  it("has a tab stop in each, and everything between as it is", () => {
    const text = '{ "a": 1, "b": "", "$c}": ["\\\\", ""], "d": "" }';
    const found = unfilledSnippet(text, [["b"], ["$c}", 1]]);
    assert.equal(text.slice(found?.start, found?.end), '"", "$c}": ["\\\\", ""');
    assert.equal(found?.snippet, '"$1", "\\$c\\}": ["\\\\\\\\", "$2"');
  });

  it("is missing if no text is empty", () => {
    assert.equal(unfilledSnippet('{ "a": "b" }', [["a"], ["c"]]), undefined);
    assert.equal(unfilledSnippet("{}", []), undefined);
  });
});
