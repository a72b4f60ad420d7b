import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import { testableSchema } from "../../../src/core/schema/read/testableSchema";
import { runSync } from "../../../src/core/text/chunked";
import { english } from "../../../src/core/text/language";
import { checkPayload } from "../../../src/language/checkPayload";
import { compileSchema } from "../../../src/language/compileSchema";
import { surveyBody } from "../../../src/registry/decode/parseJson";

describe("checkPayload", () => {
  const digits: [schema: unknown, text: string, state: string][] = [
    [{ minimum: 9007199254740992 }, "9007199254740993", "unchecked"],
    [{ minimum: 9007199254740990 }, "9007199254740993", "valid"],
    [{ maximum: 9007199254740991 }, "9007199254740993", "invalid"],
    [{ maximum: 2 ** 63 }, "9223372036854775807", "unchecked"],
    [{ exclusiveMinimum: 0 }, "1e-400", "unchecked"],
    [{ exclusiveMaximum: 9007199254740992 }, "9007199254740991.5", "unchecked"],
    [{ exclusiveMaximum: 9007199254740992 }, "9007199254740992", "invalid"],
    [{ multipleOf: 2 }, "9007199254740993", "unchecked"],
    [{ multipleOf: 2 }, "9007199254740992", "valid"],
    [{ const: 9007199254740992 }, "9007199254740993", "unchecked"],
    [{ const: 9007199254740992 }, "9007199254740992", "valid"],
    [{ const: { a: [9007199254740992] } }, '{"a": [9007199254740993]}', "unchecked"],
    [{ enum: [1, 2] }, "9007199254740993", "invalid"],
    [{ enum: ["a", 9007199254740992] }, "9007199254740993", "unchecked"],
    [{ not: { const: 9007199254740992 } }, "9007199254740993", "unchecked"],
    [{ uniqueItems: true }, "[9007199254740992, 9007199254740993]", "unchecked"],
    [{ uniqueItems: true }, "[9007199254740993, 9007199254740995]", "valid"],
    [{ type: "integer" }, "1.00000000000000000001", "unchecked"],
    [{ type: "integer" }, "1.00000000000000000000", "valid"],
    [{ type: "integer" }, "9007199254740993.0", "valid"],
    [{ type: "integer" }, "[1.00000000000000000001]", "invalid"],
    [{ type: ["integer", "number"] }, "1.00000000000000000001", "valid"],
    [{ items: { type: "integer", maximum: 5 } }, "[1, 2, 1e400]", "invalid"],
    [{ properties: { a: { const: 1 } } }, '{"a": 1, "b": 9007199254740993}', "valid"],
  ];
  for (const [schema, text, state] of digits) {
    it(`returns ${state} for ${text}, which JavaScript may round: ${JSON.stringify(schema)}`, () =>
      assert.equal(
        checkPayload(text, compileSchema(testableSchema(schema)), english).state,
        state,
      ));
  }

  // The schema as a registry writes it; parsed into numbers, it has lost digits.
  const writtenDigits: [schema: string, text: string, state: string][] = [
    ['{"minimum": 9007199254740993}', "9007199254740992", "unchecked"],
    ['{"minimum": 9007199254740993}', "9007199254740993", "unchecked"],
    ['{"minimum": 9007199254740993}', "9007199254740990", "invalid"],
    ['{"minimum": 9007199254740993}', "9007199254740994", "valid"],
    ['{"maximum": 9007199254740993}', "9007199254740994", "invalid"],
    ['{"maximum": 18446744073709551615}', "1", "valid"],
    ['{"maximum": 18446744073709551615}', "18446744073709551616", "unchecked"],
    ['{"maximum": 18446744073709551615}', "18446744073709555712", "invalid"],
    ['{"exclusiveMinimum": 0.10000000000000000001}', "0.1", "unchecked"],
    ['{"const": 9007199254740993}', "9007199254740992", "unchecked"],
    ['{"const": 9007199254740993}', "1", "invalid"],
    ['{"const": {"a": [9007199254740993]}}', '{"a": [9007199254740992]}', "unchecked"],
    ['{"enum": ["a", 9007199254740993]}', '"a"', "valid"],
    ['{"enum": ["a", 9007199254740993]}', "9007199254740992", "unchecked"],
    ['{"not": {"const": 9007199254740993}}', "9007199254740992", "unchecked"],
    ['{"multipleOf": 0.10000000000000000001}', "0.3", "unchecked"],
    ['{"multipleOf": 0.10000000000000000001}', '"0.3"', "valid"],
    ['{"default": 9007199254740993, "type": "integer"}', "9007199254740992", "valid"],
    ['{"default": 9007199254740993, "maximum": 9}', "10", "invalid"],
    ['{"title": "9007199254740993", "maximum": 9007199254740992}', "9007199254740992", "valid"],
  ];
  for (const [written, text, state] of writtenDigits) {
    it(`returns ${state} for ${text} by a schema whose number JavaScript may round: ${written}`, () => {
      const options = { lossyNumbers: lossyOf(written) };
      const compiled = compileSchema(testableSchema(JSON.parse(written)));
      assert.equal(checkPayload(text, compiled, english, options).state, state);
    });
  }

  it("never contradicts the verdict by all digits of schema and value", () => {
    const near = fc.bigInt({ min: 2n ** 53n - 4n, max: 2n ** 53n + 12n });
    const keyword = fc.constantFrom("minimum", "maximum", "exclusiveMinimum", "const");
    let decided = 0;
    fc.assert(
      fc.property(keyword, near, near, (rule, limit, value) => {
        const fits = {
          minimum: value >= limit,
          maximum: value <= limit,
          exclusiveMinimum: value > limit,
          const: value === limit,
        }[rule];
        const written = `{"${rule}": ${limit}}`;
        const { state } = checkPayload(
          `${value}`,
          compileSchema(testableSchema(JSON.parse(written))),
          english,
          {
            lossyNumbers: lossyOf(written),
          },
        );
        if (state === "unchecked") return;
        decided += 1;
        assert.equal(state, fits ? "valid" : "invalid", `${value} ${written}`);
      }),
    );
    assert.ok(decided > 20, `${decided} decided`);
  });
});

/** Returns the inexact numbers of a text, as the registry's decoder notes them. */
function lossyOf(text: string): readonly number[] {
  const { lossyNumbers } = runSync(surveyBody(Buffer.from(text)));
  assert.ok(lossyNumbers !== "many");
  return lossyNumbers;
}
