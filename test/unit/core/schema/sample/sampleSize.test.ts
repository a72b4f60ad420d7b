import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "../../../../../src/core/json/jsonValue";
import { testableSchema } from "../../../../../src/core/schema/read/testableSchema";
import { pruneSample, samplePayload } from "../../../../../src/core/schema/sample/samplePayload";
import { english } from "../../../../../src/core/text/language";

const members = (count: number, value: JsonValue): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, value]));

function sample(schema: JsonObject, mode: "minimal" | "full" = "minimal") {
  return samplePayload(testableSchema(schema), { mode }, english);
}

const lengthOf = (schema: JsonObject) => (sample(schema).value as string | unknown[]).length;

/** A text that no value satisfies. */
const impossible = { type: "string", minLength: 5, maxLength: 2 };

function nested(depth: number, innermost: JsonObject): JsonObject {
  if (depth === 0) return innermost;
  const properties = { a: nested(depth - 1, innermost) };
  return { type: "object", required: ["a"], minProperties: 1, properties };
}

function depthOf(value: unknown): number {
  return isJsonObject(value as JsonValue) ? 1 + depthOf((value as JsonObject)["a"]) : 0;
}

describe("a sample", () => {
  it("has at most 300 properties, 100 items, 100,000 characters and 32 levels", () => {
    const { value } = sample({ properties: members(301, { const: 1 }) }, "full");
    assert.equal(Object.keys(value as JsonObject).length, 300);
    const contains = { const: 1 };
    assert.equal(lengthOf({ type: "array", minItems: 100, items: contains }), 100);
    assert.equal(lengthOf({ type: "array", minItems: 101, items: contains }), 0);
    assert.equal(lengthOf({ type: "array", contains, minContains: 101 }), 100);
    assert.equal(lengthOf({ type: "string", minLength: 100_000 }), 100_000);
    assert.equal(lengthOf({ type: "string", minLength: 100_001 }), 0);
    assert.equal(depthOf(sample(nested(60, { const: 1 })).value), 32);
  });

  it("is the first of at most 48 combinations of choices", () => {
    const choices = (name: string, count: number) =>
      Array.from({ length: count }, (_, at) => ({
        required: [name],
        properties: { [name]: { const: at } },
      }));
    const found = (first: number, second: number) => {
      const below = { a: { maximum: first - 2 }, b: { maximum: second - 2 } };
      const anyOf = [{ properties: { a: below.a } }, { properties: { b: below.b } }];
      const allOf = [{ anyOf: choices("a", first) }, { anyOf: choices("b", second) }];
      return sample({ type: "object", allOf, not: { anyOf } }).notes.length === 0;
    };
    assert.deepEqual([found(6, 8), found(7, 7)], [true, false]);
  });

  it("has the empty value of a branch inside a branch where it ends", () => {
    const branches = (count: number): JsonObject =>
      count === 0 ? { type: "string" } : { anyOf: [branches(count - 1)] };
    const innermost = (count: number) => {
      let { value } = sample(nested(31, branches(count)));
      while (isJsonObject(value as JsonValue)) value = (value as JsonObject)["a"];
      return value;
    };
    assert.deepEqual([innermost(2), innermost(3)], ["", null]);
  });

  it("loses a failing optional part if it is at most eight levels deep", () => {
    const full = (depth: number) =>
      sample({ type: "object", properties: { a: nested(depth - 1, impossible) } }, "full").value;
    assert.deepEqual([depthOf(full(8)), depthOf(full(9))], [1, 9]);
  });

  it("loses at most 200 properties that nothing requires", () => {
    assert.equal(Object.keys(pruneSample(members(250, 1), () => true) as object).length, 50);
  });

  it("has at most ten notes, or says that it could not be checked in bounded time", () => {
    const properties = members(12, impossible);
    assert.equal(
      sample({ type: "object", required: Object.keys(properties), properties }).notes.length,
      10,
    );
    const items = { allOf: Array.from({ length: 50 }, () => ({ minimum: 0 })) };
    const notes = (count: number) =>
      sample({ type: "array", default: Array(count).fill(1), items }).notes;
    assert.deepEqual(notes(3000), []);
    assert.deepEqual(notes(5000), ["Could not validate the generated payload."]);
  });
});
