import fc from "fast-check";

/** Generates names that often coincide, and names that objects inherit. */
const arbitraryName = fc.constantFrom("a", "b", "c", "A b", "", "toString", "constructor");

/** Generates JSON values from a small set, so that schemas accept about half of them. */
export const arbitraryValue: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, 1, 2, 3, -1, 0.5, 1.5, 1e20, "", "a", "b", "ab", "abc"),
    fc.constantFrom("😀", "2026-11-20", "a@b.example", "aa-bb"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(arbitraryName, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

const typeName = fc.constantFrom(
  "null",
  "boolean",
  "object",
  "array",
  "number",
  "integer",
  "string",
);
const limit = fc.nat({ max: 3 });

/** Generates schemas of 2020-12 for these values, with every keyword that decides, and with circular references. */
export const arbitrarySchema: fc.Arbitrary<unknown> = fc
  .tuple(schemaWithin(), schemaWithin(), schemaWithin())
  .map(([root, one, two]) => (typeof root === "object" ? { ...root, $defs: { one, two } } : root));

function schemaWithin(): fc.Arbitrary<object | boolean> {
  const { schema } = fc.letrec<{ schema: object | boolean; rules: object }>((tie) => {
    const below = tie("schema");
    const map = fc.dictionary(arbitraryName, below, { maxKeys: 3, noNullPrototype: true });
    const list = fc.array(below, { minLength: 1, maxLength: 3 });
    const keywords: Record<string, fc.Arbitrary<unknown>> = {
      type: fc.oneof(typeName, fc.uniqueArray(typeName, { minLength: 1, maxLength: 3 })),
      const: arbitraryValue,
      enum: fc.array(arbitraryValue, { minLength: 1, maxLength: 4 }),
      minimum: limit,
      maximum: limit,
      exclusiveMinimum: limit,
      exclusiveMaximum: limit,
      multipleOf: fc.constantFrom(1, 2, 0.5, 0.1),
      minLength: limit,
      maxLength: limit,
      pattern: fc.constantFrom("^a", "b$", "^[a-c]{2}$", "😀", "^(?=.*a).*b", "^\\d{4}"),
      format: fc.constantFrom("date", "email"),
      minItems: limit,
      maxItems: limit,
      uniqueItems: fc.boolean(),
      prefixItems: list,
      items: below,
      contains: below,
      minContains: limit,
      maxContains: limit,
      minProperties: limit,
      maxProperties: limit,
      required: fc.uniqueArray(arbitraryName, { maxLength: 2 }),
      properties: map,
      patternProperties: fc.dictionary(fc.constantFrom("^a", "b$", "[a-c]"), below, {
        maxKeys: 2,
        noNullPrototype: true,
      }),
      additionalProperties: below,
      propertyNames: below,
      dependentRequired: fc.dictionary(arbitraryName, fc.array(arbitraryName, { maxLength: 2 }), {
        maxKeys: 1,
        noNullPrototype: true,
      }),
      dependentSchemas: map,
      allOf: list,
      anyOf: list,
      oneOf: list,
      not: below,
      if: below,
      // biome-ignore lint/suspicious/noThenProperty: the JSON Schema keyword
      then: below,
      else: below,
      $ref: fc.constantFrom("#", "#/$defs/one", "#/$defs/two"),
      $dynamicRef: fc.constantFrom("#", "#/$defs/one", "#/$defs/two"),
      default: arbitraryValue,
      nullable: fc.boolean(),
    };
    const names = Object.keys(keywords);
    const rules = fc
      .uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 4 })
      .chain((chosen) =>
        fc.record(
          Object.fromEntries(chosen.map((name) => [name, keywords[name] ?? fc.constant(true)])),
        ),
      );
    return {
      rules,
      schema: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        { weight: 1, arbitrary: fc.boolean() },
        { weight: 3, arbitrary: typeName.map((type) => ({ type })) },
        { weight: 8, arbitrary: tie("rules") },
      ),
    };
  });
  return schema;
}
