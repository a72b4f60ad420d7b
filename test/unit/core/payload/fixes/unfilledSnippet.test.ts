import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { unfilledSnippet } from "../../../../../src/core/payload/fixes/unfilledSnippet";

describe("the snippet of a payload with empty texts", () => {
  it("has a tab stop in each, and everything between as it is", () => {
    const text = '{ "a": 1, "b": "", "$c}": ["\\\\", ""], "d": "" }';
    const found = unfilledSnippet(text, [["b"], ["$c}", 1]]);
    assert.equal(text.slice(found?.start, found?.end), '", "$c}": ["\\\\", "');
    assert.equal(found?.snippet, '$1", "\\$c\\}": ["\\\\\\\\", "$2');
  });

  it("has the number or truth value that somebody may replace in its tab stop", () => {
    const text = '{"a": -1.5, "b": "x", "c": true, "d": [], "e": ""}';
    const found = unfilledSnippet(text, [["a"], ["b"], ["c"], ["d"], ["e"]]);
    assert.equal(
      found?.snippet,
      "$" + '{1:-1.5}, "b": "x", "c": $' + '{2:true}, "d": [], "e": "$3',
    );
  });

  it("is missing if no text is empty", () => {
    assert.equal(unfilledSnippet('{ "a": "b" }', [["a"], ["c"]]), undefined);
    assert.equal(unfilledSnippet("{}", []), undefined);
  });
});
