import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import type { JsonValue } from "../../../../src/core/json/jsonValue";
import { printJson } from "../../../../src/core/json/printJson";

describe("printJson", () => {
  it("prints as the editor's own printer does, or the start of that", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(40), fc.constantFrom(0, 2), (value, maxLength, indent) => {
        const json = value as JsonValue;
        const whole = JSON.stringify(json, null, indent);
        assert.deepEqual(printJson(json, { maxLength: 1e9, indent }), { text: whole, whole: true });
        const cut = printJson(json, { maxLength, indent });
        assert.deepEqual(cut, {
          text: whole.slice(0, maxLength),
          whole: whole.length <= maxLength,
        });
      }),
    );
  });

  it("reads no more than it prints", () => {
    const behind = {
      get text(): string {
        throw new Error("It was looked at.");
      },
    };
    const value = [...Array.from({ length: 100 }, () => ({ text: "x".repeat(20) })), behind];
    assert.equal(printJson(value, { maxLength: 1000, indent: 2 }).whole, false);
  });

  it("marks values that are nested too deeply", () => {
    let deep: JsonValue = {};
    for (let i = 0; i < 100_000; i += 1) deep = [deep];
    const { text, whole } = printJson(deep, { maxLength: 1e9, indent: 0 });
    assert.equal(whole, false);
    assert.match(text, /^\[+…\]+$/);
  });
});
