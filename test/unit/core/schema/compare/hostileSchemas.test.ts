import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import type { JsonObject, JsonValue } from "../../../../../src/core/json/jsonValue";
import { schemaChanges } from "../../../../../src/core/schema/compare/schemaChanges";
import { whySchemaIsTooLarge } from "../../../../../src/core/schema/schemaSize";
import { fullSkill } from "../../../../fixtures/skillDetail";
import { object, text } from "./objectSchema";

describe("schemaChanges", () => {
  it("finds nothing between equal schemas of the largest size that can be applied", () => {
    const values = Array.from({ length: 119_998 }, (_, index) => index);
    assert.equal(whySchemaIsTooLarge({ enum: [...values] }), undefined);
    assert.notEqual(whySchemaIsTooLarge({ enum: [...values, -1] }), undefined);
    assert.deepEqual(schemaChanges({ enum: [...values] }, { enum: [...values] }), []);
  });

  it("finds no difference between a schema and itself, and the reverse after swapping", () => {
    const opposite = {
      added: "removed",
      removed: "added",
      tightened: "loosened",
      loosened: "tightened",
      changed: "changed",
      unknown: "unknown",
    };
    const schema = fc.object({
      key: fc.constantFrom(
        "properties",
        "items",
        "type",
        "enum",
        "maxLength",
        "minimum",
        "required",
        "a",
        "b",
        "oneOf",
        "anyOf",
        "const",
        "dependencies",
        "additionalProperties",
        "$ref",
      ),
      values: [fc.constantFrom<unknown>("string", "#", "#/properties/a", 1, 5, true, false, null)],
      withNullPrototype: false,
    });
    fc.assert(
      fc.property(schema, schema, (one, other) => {
        const [before, after] = [one as JsonObject, other as JsonObject];
        assert.deepEqual(schemaChanges(before, before), []);
        const forth = schemaChanges(before, after).map(({ kind }) => kind);
        const back = schemaChanges(after, before).map(({ kind }) => opposite[kind]);
        assert.deepEqual(back.sort(), forth.sort());
      }),
      { numRuns: 300 },
    );
  });

  const deep = (depth: number, end: JsonValue) => {
    let schema = end;
    for (let i = 0; i < depth; i += 1) schema = { items: schema };
    return schema;
  };
  const wide = (value: JsonValue) =>
    object(Object.fromEntries([...Array(30_000).keys()].map((n) => [`p${n}`, value])));
  const fans = (end: JsonValue) => {
    const $defs: JsonObject = { s0: end };
    for (let i = 1; i < 60; i += 1) {
      const $ref = `#/$defs/s${i - 1}`;
      $defs[`s${i}`] = object({ a: { $ref }, b: { $ref } });
    }
    return { $ref: "#/$defs/s59", $defs };
  };
  const hostile: [string, JsonValue, JsonValue][] = [
    ["nested a thousand deep", deep(1000, text), deep(1000, {})],
    ["with 30,000 properties", wide(text), wide({})],
    [
      "of 100,000 values",
      { enum: [...Array(100_000).keys()] },
      { enum: [...Array(99_999).keys()] },
    ],
    ["that fans out beyond counting", fans(text), fans({})],
    ["with a default nested deep", { default: deep(5000, 1) }, { default: deep(5000, 2) }],
    ["with a value of 10 MB", { enum: ["x".repeat(10_000_000)] }, { enum: ["y"] }],
  ];
  for (const [what, before, after] of hostile) {
    it(`ends on a schema ${what}, and reports that its result is incomplete`, () => {
      // Without its limits it would take minutes or run out of memory.
      const changes = schemaChanges(before, after);
      assert.ok(changes.length <= 1000);
      assert.ok(changes.some(({ kind, keyword }) => kind === "unknown" && keyword === ""));
    });
  }

  it("compares a schema that branches often without differing", () => {
    const told = schemaChanges({ ...fans(text), title: "A" }, { ...fans(text), title: "B" });
    assert.deepEqual(told, [{ kind: "changed", path: [], keyword: "description" }]);
  });

  it("compares real schemas", () => {
    const { inputSchema = {} } = fullSkill;
    assert.deepEqual(schemaChanges(inputSchema, structuredClone(inputSchema)), []);
  });
});
