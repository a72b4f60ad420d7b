import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonObject, JsonValue } from "../../../../../src/core/json/jsonValue";
import { schemaChangeText } from "../../../../../src/core/schema/compare/schemaChange";
import { schemaChanges } from "../../../../../src/core/schema/compare/schemaChanges";
import { english } from "../../../../../src/core/text/language";
import { object } from "./objectSchema";

const members = (count: number, of: (at: number) => JsonValue): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, of(at)]));
const nested = (depth: number, innermost: JsonValue): JsonValue =>
  Array.from({ length: depth }).reduce((inside: JsonValue) => object({ a: inside }), innermost);
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
const text = (length: number) => "x".repeat(length);

/** What is counted, a change that is found in each of these sizes, and the sizes within and beyond the limit. */
const limits: readonly (readonly [
  what: string,
  schema: (size: number, last: number) => JsonValue,
  within: number,
  beyond: number,
])[] = [
  [
    "values of a schema",
    (size, last) => ({ "x-data": numbers(size), minItems: last }),
    19_900,
    20_000,
  ],
  ["characters", (size, last) => ({ description: text(size), minItems: last }), 999_900, 1_000_001],
  [
    "characters of a path",
    (size, last) => object({ [text(size)]: { minItems: last } }),
    9900,
    10_000,
  ],
  [
    "compared values",
    (size, last) => object(members(size, (at) => ({ maxLength: at, minLength: last }))),
    400,
    501,
  ],
  [
    "members behind references",
    (size, last) => ({
      ...object(members(size, (at) => ({ $ref: "#/$defs/d", maxLength: at + last }))),
      $defs: { d: { enum: numbers(5000) } },
    }),
    3,
    5,
  ],
  [
    "characters of constants",
    (size, last) => ({ const: { a: `${text(size)}${last}` } }),
    60_000,
    210_000,
  ],
  ["levels", (size, last) => nested(size, { minItems: last }), 100, 101],
];

describe("the comparison of schemas", () => {
  for (const [what, schema, within, beyond] of limits) {
    it(`is complete up to a number of ${what}, and says so beyond it`, () => {
      const isComplete = (size: number) =>
        schemaChanges(schema(size, 1), schema(size, 2)).every(({ kind }) => kind !== "unknown");
      assert.deepEqual([isComplete(within), isComplete(beyond)], [true, false]);
    });
  }

  it("guesses renames among up to twenty short properties", () => {
    const guessed = (count: number, length = 1) => {
      const named = (name: string) =>
        Object.fromEntries(
          numbers(count).map((at) => [`${name}${at}`, { title: text(length), minItems: at }]),
        );
      const changes = schemaChanges(object(named("old")), object(named("new")));
      return changes.filter(({ newName }) => newName !== undefined).length;
    };
    assert.deepEqual([guessed(20), guessed(21)], [20, 0]);
    assert.deepEqual([guessed(1, 9900), guessed(1, 10_001)], [1, 0]);
  });

  it("is described with up to eight values, and without the details of a large part", () => {
    const told = (before: JsonValue, after: JsonValue) =>
      schemaChanges(before, after).map((change) => schemaChangeText(change, english));
    assert.match(told({}, { enum: numbers(8) })[0] ?? "", / 7$|7$/);
    assert.match(told({}, { enum: numbers(10) })[0] ?? "", /2 more$/);
    const list = (length: number) => ({
      type: "array",
      items: { type: "string", description: text(length) },
    });
    const [short, long] = [19_000, 21_000].map(
      (size) => told(object({}), object({ a: list(size) }))[0],
    );
    assert.notEqual(short, long);
  });
});
