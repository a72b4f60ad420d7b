import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonObject, JsonValue } from "../../../../../src/core/json/jsonValue";
import { schemaPathText } from "../../../../../src/core/schema/compare/schemaChange";
import { schemaChanges } from "../../../../../src/core/schema/compare/schemaChanges";

describe("schemaChanges", () => {
  const places: [string, (rules: JsonValue) => JsonObject, string][] = [
    ["properties", (rules) => ({ properties: { a: rules } }), "a"],
    ["patternProperties", (rules) => ({ patternProperties: { "^a": rules } }), "/^a/"],
    ["additionalProperties", (rules) => ({ additionalProperties: rules }), "*"],
    ["unevaluatedProperties", (r) => ({ unevaluatedProperties: r }), "(unevaluatedProperties)"],
    ["propertyNames", (rules) => ({ propertyNames: rules }), "(propertyNames)"],
    ["dependentSchemas", (rules) => ({ dependentSchemas: { a: rules } }), "(dependentSchemas: a)"],
    ["dependencies", (rules) => ({ dependencies: { a: rules } }), "(dependentSchemas: a)"],
    ["items", (rules) => ({ items: rules }), "[]"],
    ["prefixItems", (rules) => ({ prefixItems: [true, rules] }), "[1]"],
    ["additionalItems", (rules) => ({ items: [true], additionalItems: rules }), "[]"],
    ["unevaluatedItems", (rules) => ({ unevaluatedItems: rules }), "(unevaluatedItems)"],
    ["contains", (rules) => ({ contains: rules }), "(contains)"],
    ["not", (rules) => ({ not: rules }), "(not)"],
    ["if", (rules) => ({ if: rules, else: { minLength: 1 } }), "(if)"],
    // biome-ignore lint/suspicious/noThenProperty: the keyword has this name.
    ["then", (rules) => ({ if: { minLength: 1 }, then: rules }), "(then)"],
    ["else", (rules) => ({ if: { minLength: 1 }, else: rules }), "(else)"],
    ["allOf", (rules) => ({ allOf: [{ minLength: 1 }, rules] }), ""],
    ["the last of many in allOf", (rules) => ({ allOf: [...many, rules] }), ""],
    ["oneOf", (rules) => ({ oneOf: [{ minLength: 1 }, rules] }), "(2)"],
    ["anyOf", (rules) => ({ anyOf: [{ minLength: 1 }, rules] }), "(2)"],
    ["the second oneOf", (rules) => ({ oneOf, allOf: [{ oneOf: [{}, rules] }] }), "(2)"],
    ["anyOf beside oneOf", (rules) => ({ oneOf, anyOf: [{}, rules] }), "(2)"],
    ["$ref", (rules) => ({ $ref: "#/$defs/b", $defs: { b: { allOf: [rules] } } }), ""],
  ];
  const many = Array.from({ length: 99 }, (_, at) => ({ maxProperties: 1000 + at }));
  const oneOf = [{ properties: {} }, { minProperties: 1 }];
  const at = (place: (rules: JsonValue) => JsonObject, rules: JsonValue) => ({
    ...place({ $ref: "#/definitions/d" }),
    definitions: { d: rules },
  });
  for (const [what, place, path] of places) {
    it(`finds a change behind a reference in ${what}`, () => {
      const told = schemaChanges(at(place, { maxLength: 9 }), at(place, { maxLength: 5 }));
      const [change, ...others] = told.map(({ kind, keyword, path: found }) =>
        [kind, keyword, schemaPathText(found)].join(" "),
      );
      assert.deepEqual([change, others], [`tightened maxLength ${path}`, []]);
      assert.equal(told[0]?.isNegated === true, what === "not" || what === "if");
      assert.deepEqual(
        schemaChanges(at(place, { maxLength: 9 }), at(place, false)).length > 0,
        true,
      );
    });
  }
});
