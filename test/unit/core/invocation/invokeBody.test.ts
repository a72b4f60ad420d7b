import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { invokeBody } from "../../../../src/core/invocation/invocation";

describe("invokeBody", () => {
  it("contains the input as typed", () => {
    const inputText =
      '{ "n": 9007199254740993, "e":1e400 ,\n\t"z":1,"a":1,"a":2, "__proto__":{} }\n';
    assert.equal(
      invokeBody({ skillSlug: "text-stats", version: "1.0.0", inputText }),
      `{"skillSlug":"text-stats","version":"1.0.0","input":${inputText}}`,
    );
  });

  it("omits an empty version", () => {
    assert.equal(
      invokeBody({ skillSlug: "a", version: "", inputText: "null" }),
      '{"skillSlug":"a","input":null}',
    );
  });

  it("escapes slug and version", () => {
    const body = invokeBody({ skillSlug: 'a","x":"', version: '"', inputText: "1" });
    assert.deepEqual(JSON.parse(body), { skillSlug: 'a","x":"', version: '"', input: 1 });
  });

  it("escapes an unpaired surrogate, which UTF-8 cannot encode", () => {
    const body = invokeBody({ skillSlug: "a", version: "", inputText: '"x\ud83dy 😀"' });
    assert.equal(body, '{"skillSlug":"a","input":"x\\ud83dy 😀"}');
    assert.equal(JSON.parse(body).input, "x\ud83dy 😀");
  });

  for (const inputText of [
    "",
    "{",
    '1},"skillSlug":"other","x":{"a":1',
    "1 2",
    "// 1\n1",
    "\ufeff1",
  ]) {
    it(`throws for a payload that is not one JSON value: ${JSON.stringify(inputText)}`, () => {
      assert.throws(() => invokeBody({ skillSlug: "a", version: "", inputText }), SyntaxError);
    });
  }
});
