import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonValue } from "../../../../src/core/json/jsonValue";
import {
  textWithoutSchemaAddress,
  withoutSchemaAddress,
} from "../../../../src/core/payload/payloadTemplates";

describe("withoutSchemaAddress", () => {
  const elsewhere = "https://example.com/schema.json";
  const cases: [JsonValue, JsonValue, string | undefined][] = [
    [{ $schema: elsewhere, a: 1 }, { a: 1 }, elsewhere],
    [{ $schema: "file:///etc/passwd" }, {}, "file:///etc/passwd"],
    [{ $schema: { a: 1 } }, {}, '{"a":1}'],
    [{ $schema: null }, {}, "null"],
    [
      { $schema: "http://json-schema.org/draft-07/schema#" },
      { $schema: "http://json-schema.org/draft-07/schema#" },
      undefined,
    ],
    [{ a: { $schema: elsewhere } }, { a: { $schema: elsewhere } }, undefined],
    [[{ $schema: elsewhere }], [{ $schema: elsewhere }], undefined],
    [elsewhere, elsewhere, undefined],
    [null, null, undefined],
  ];
  for (const [given, value, removedSchema] of cases) {
    it(`makes ${JSON.stringify(value)} of ${JSON.stringify(given)}`, () =>
      assert.deepEqual(withoutSchemaAddress(given), { value, removedSchema }));
  }

  it("keeps the order of the rest", () => {
    const { value } = withoutSchemaAddress({ b: 1, $schema: elsewhere, a: 2 });
    assert.equal(JSON.stringify(value), '{"b":1,"a":2}');
  });
});

describe("textWithoutSchemaAddress", () => {
  const own = "http://json-schema.org/draft-07/schema#";
  const cases: [given: string, text: string, removedSchema: string | undefined][] = [
    ['{ "a": 1e400, "$schema": "https://x.example" }', '{ "a": 1e400 }', "https://x.example"],
    ['{"\\u0024schema":"http://10.0.0.1/a","a":1.0}', '{"a":1.0}', "http://10.0.0.1/a"],
    [`{"$schema":"https://x.example","$schema":"${own}"}`, "{}", "https://x.example"],
    [`{"$schema":"${own}","a":1,"$schema":"file:///x"}`, '{"a":1}', "file:///x"],
    [`{"$schema":"${own}"}`, `{"$schema":"${own}"}`, undefined],
    [' [{"$schema":"file:///x"}]', ' [{"$schema":"file:///x"}]', undefined],
    ["1", "1", undefined],
    [
      '{\n  "a": [1,\n 2],\n  "$schema": 1,\n  "b": 2\n}\n',
      '{\n  "a": [1,\n 2],\n  "b": 2\n}\n',
      "1",
    ],
    ['{\n  "$schema": "a:b"\n}\n', "{}\n", "a:b"],
  ];
  for (const [given, text, removedSchema] of cases) {
    it(`makes ${JSON.stringify(text)} of ${JSON.stringify(given)}`, () =>
      assert.deepEqual(textWithoutSchemaAddress(given), { text, removedSchema }));
  }

  it("removes 60,000 of them, also after 100,000 tokens", () => {
    const text = `{"a":[${"1,".repeat(60_000)}1]${',"$schema":"a:b"'.repeat(60_000)},"b":1}`;
    const read = textWithoutSchemaAddress(text);
    assert.deepEqual([read.text.includes("$schema"), read.removedSchema], [false, "a:b"]);
    assert.ok(read.text.endsWith('1],"b":1}'));
  });
});
