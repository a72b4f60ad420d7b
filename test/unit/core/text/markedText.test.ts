import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { markedText } from "../../../../src/core/text/markedText";

const json = '{\n  "name": "Grüße 😀"\n}\n';

describe("the text of a document, as UTF-8", () => {
  const write = (text: string, encoding: string, isJson = true, isGuessed = false) =>
    markedText(text, { encoding, isGuessed, isJson });

  it("is unchanged where the editor reads UTF-8", () => {
    for (const encoding of ["utf8", "utf8bom"]) assert.equal(write(json, encoding), json);
  });

  it("is ASCII for JSON that the editor decodes otherwise, with the same value", () => {
    for (const [encoding, isGuessed] of [
      ["iso88591", false],
      ["windows1252", false],
      ["utf8", true],
    ] as const) {
      const text = write(json, encoding, true, isGuessed);
      assert.match(text, /^[\n -~]*$/);
      assert.deepEqual(JSON.parse(text), JSON.parse(json));
    }
  });

  it("has a mark only if the editor could not decode it without one", () => {
    assert.equal(write(json, "utf16le"), `\ufeff${json}`);
    assert.equal(write("ü", "iso88591", false), "\ufeffü");
    assert.equal(write("u", "iso88591", false), "u");
  });
});
