import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { decodeCharset } from "../../../../src/registry/transport/charset";

const utf16 = Buffer.from('{"a":"é"}', "utf16le");

const cases: readonly (readonly [type: string | undefined, body: Buffer, text: string])[] = [
  [undefined, Buffer.from("é"), "é"],
  ["application/json; charset=utf-8", Buffer.from("é"), "é"],
  ["application/json;charset=iso-8859-1", Buffer.from("é", "latin1"), "é"],
  ['text/plain; Charset="windows-1252"', Buffer.from([0x80]), "€"],
  ["application/json; charset=UTF-16", Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]), "é"],
  ["application/json; charset=utf-16le", utf16, "é"],
  ["application/json; charset=shift_jis", Buffer.from([0x93, 0xfa]), "日"],
];

describe("the charset of a response", () => {
  for (const [type = "no media type", body, text] of cases) {
    it(`is decoded for ${type} with ${text}`, () => {
      const decoded = decodeCharset(type, body);
      assert.ok(decoded.body.toString("utf8").includes(text), decoded.body.toString("utf8"));
      assert.equal(decoded.note, undefined);
    });
  }

  it("is named where characters were replaced or the charset is unknown", () => {
    const bad = Buffer.from([0x22, 0xff, 0x22]);
    const notes = [undefined, "text/x; charset=shift_jis", "text/x; charset=klingon"].map(
      (type) => decodeCharset(type, bad).note,
    );
    assert.deepEqual(notes, [
      "bytes that are no UTF-8 replaced",
      "bytes that are no shift_jis replaced",
      "charset klingon unknown",
    ]);
  });
});
