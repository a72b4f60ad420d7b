import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "mocha";
import { readShapes } from "../../../../src/core/clients/readShapes";
import { typescriptTypes } from "../../../../src/core/clients/typescriptTypes";
import type { JsonValue } from "../../../../src/core/json/jsonValue";
import { readSchema } from "../../../../src/core/schema/read/readSchema";
import { compileTypeScript } from "./compileTypeScript";

const types = (schema: JsonValue) => typescriptTypes("Input", readShapes(readSchema(schema)));

describe("TypeScript types of a schema", () => {
  const cases: readonly (readonly [title: string, schema: JsonValue, expected: string])[] = [
    ["everything", true, "unknown"],
    ["nothing", false, "never"],
    ["one type", { type: "integer" }, "number"],
    ["several types", { type: ["string", "null"] }, "string | null"],
    ["values", { enum: ["a", 1, null, false] }, '"a" | 1 | null | false'],
    ["only values of a type that is allowed", { type: "string", enum: ["a", 1] }, '"a"'],
    [
      "a list",
      { type: "array", items: { type: ["string", "null"] } },
      "readonly (string | null)[]",
    ],
    [
      "a tuple, whose items may be missing from minItems on",
      {
        type: "array",
        prefixItems: [{ type: "string" }, { type: "number" }],
        items: false,
        minItems: 1,
      },
      "readonly [string, number?]",
    ],
    [
      "a map, whose index signature allows what its properties are",
      {
        type: "object",
        properties: { name: { type: "string" } },
        additionalProperties: { type: "number" },
      },
      "{\n  readonly name?: string;\n  readonly [name: string]: number | string | undefined;\n}",
    ],
    [
      "a name that is no identifier",
      { type: "object", properties: { "a-b": true }, additionalProperties: false },
      '{\n  readonly "a-b"?: unknown;\n}',
    ],
    [
      "a property that is required and not described",
      { type: "object", required: ["x"] },
      "{\n  readonly x: unknown;\n  readonly [name: string]: unknown;\n}",
    ],
    [
      "keywords of objects without a type, which allow every other one",
      { properties: { a: { type: "string" } }, additionalProperties: false },
      "{\n  readonly a?: string;\n} | readonly unknown[] | string | number | boolean | null",
    ],
    [
      "alternatives of an object, each as a whole",
      {
        type: "object",
        properties: { kind: { type: "string" } },
        additionalProperties: false,
        oneOf: [
          { required: ["kind"], properties: { kind: { const: "a" } } },
          { required: ["kind"], properties: { kind: { const: "b" } } },
        ],
      },
      '{\n  readonly kind: string & "a";\n} | {\n  readonly kind: string & "b";\n}',
    ],
    [
      "recursion, by name",
      { type: "object", properties: { next: { $ref: "#" } }, additionalProperties: false },
      "{\n  readonly next?: Input;\n}",
    ],
    [
      "a reference outside",
      { $ref: "https://example.com/x" },
      "unknown /* refers to https://example.com/x */",
    ],
    ["a circle of references", { $ref: "#" }, "unknown /* refers to itself */"],
    ["numbers that lost digits", { enum: [Number.POSITIVE_INFINITY] }, "number"],
  ];
  for (const [title, schema, expected] of cases) {
    it(`are written for ${title}`, () => {
      const [first = ""] = types(schema).split("\n\nexport type");
      const text = first.replace(/^\/\*\*[\s\S]*?\*\/\n/, "");
      assert.equal(text, `export type Input = ${expected};`);
    });
  }

  it("contain descriptions as comments that no text can end", () => {
    const text = types({
      type: "object",
      properties: { a: { description: "*/ export const x = 1; /*\u202e\r\nSecond line." } },
    });
    assert.match(
      text,
      /\/\*\*\n {3}\* \*\\\/ export const x = 1; \/\*\s*\n {3}\* Second line\.\n {3}\*\//,
    );
  });

  it("stay small and fast if references multiply", () => {
    const $defs: Record<string, JsonValue> = { d0: { type: "object" } };
    for (let depth = 1; depth < 60; depth++) {
      const below = { $ref: `#/$defs/d${depth - 1}` };
      $defs[`d${depth}`] = { type: "object", properties: { a: below, b: below } };
    }
    assert.ok(types({ $ref: "#/$defs/d59", $defs }).length < 20_000);
    let deep: JsonValue = { type: "string" };
    for (let depth = 0; depth < 1000; depth++) deep = { type: "object", properties: { a: deep } };
    assert.match(types(deep), /unknown \/\* too large \*\//);
    const properties = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [`p${index}`, { type: "object" }]),
    );
    assert.match(types({ type: "object", properties }), /unknown \/\* too large \*\//);
  });

  it("compile for the JSON Schema Test Suite, and reject at most 1% of valid values", function () {
    this.timeout(60_000);
    const checked = checkSuite();
    assert.ok(checked.schemas > 290, `${checked.schemas} schemas`);
    assert.deepEqual(checked.broken, []);
    assert.ok(checked.refused.length <= checked.valid / 100, checked.refused.join("\n"));
    // Not all invalid values are rejected: no type can limit a string's length, for example.
    assert.ok(checked.caught > checked.invalid * 0.38, `${checked.caught} of ${checked.invalid}`);
  });
});

interface SuiteGroup {
  readonly description: string;
  readonly schema: JsonValue;
  readonly tests: readonly { description: string; data: JsonValue; valid: boolean }[];
}

/**
 * Twenty choices between two objects, each of which also allows values that are no objects: 6 to the power of 20
 * combinations.
 */
const multiplied: JsonValue = {
  allOf: Array.from({ length: 20 }, (_, at) => ({
    oneOf: ["a", "b"].map((name) => ({ properties: { [`${name}${at}`]: { type: "string" } } })),
  })),
};

const suite = "test/fixtures/jsonSchemaTestSuite/draft2020-12.json";

/** Compiles the types of every schema of the suite in one module, with every test value as a constant. */
function checkSuite() {
  const lines = typescriptTypes("Multiplied", readShapes(readSchema(multiplied))).split("\n");
  const values = new Map<string, { readonly name: string; readonly isValid: boolean }>();
  let schemas = 0;
  const files: Readonly<Record<string, SuiteGroup[]>> = JSON.parse(readFileSync(suite, "utf8"));
  for (const [file, groups] of Object.entries(files)) {
    // Optional tests are about formats above all, which a type does not have.
    if (file.includes("/")) continue;
    for (const group of groups) {
      const name = `Schema${schemas++}`;
      const shapes = readShapes(readSchema(group.schema));
      lines.push(...typescriptTypes(name, shapes).split("\n"));
      for (const { description, data, valid } of group.tests) {
        lines.push(`export const value${lines.length}: ${name} = ${JSON.stringify(data)};`);
        values.set(`suite.ts:${lines.length}`, {
          name: `${file} › ${group.description} › ${description}`,
          isValid: valid,
        });
      }
    }
  }
  const failed = compileTypeScript({ "suite.ts": lines.join("\n") });
  const all = [...values];
  const refused = all.filter(([line, { isValid }]) => isValid && failed.has(line));
  return {
    schemas,
    broken: [...failed].filter(([line]) => !values.has(line)).map(([, message]) => message),
    valid: all.filter(([, { isValid }]) => isValid).length,
    invalid: all.filter(([, { isValid }]) => !isValid).length,
    refused: refused.map(([, { name }]) => name),
    caught: all.filter(([line, { isValid }]) => !isValid && failed.has(line)).length,
  };
}
