import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { parseUrl } from "../../../../src/core/text/parseUrl";

describe("parseUrl", () => {
  it("reads an address, or one relative to another", () => {
    assert.equal(parseUrl("https://a.example")?.href, "https://a.example/");
    assert.equal(parseUrl("b?c", "https://a.example/a")?.href, "https://a.example/b?c");
  });

  it("is undefined for an invalid address", () => {
    assert.equal(parseUrl("a.example"), undefined);
    assert.equal(parseUrl("b", "a"), undefined);
  });

  it("reads a host with letters such as ü, also after many calls", () => {
    const isRead = (text: string) => parseUrl(text) !== undefined;
    for (let call = 0; call < 100_000; call += 1) isRead("https://a.example");
    assert.equal(isRead("https://b\u00fccher.example"), true);
  });
});
