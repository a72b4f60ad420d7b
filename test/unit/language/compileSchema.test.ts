import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { testableSchema } from "../../../src/core/schema/read/testableSchema";
import { english } from "../../../src/core/text/language";
import { checkPayload } from "../../../src/language/checkPayload";
import { compileSchema } from "../../../src/language/compileSchema";
import { uris } from "./dialectUris";

describe("the dialects of JSON Schema", () => {
  const refused: [schema: unknown, why: string][] = [
    [{ $schema: "http://example.com/my-dialect" }, "dialect"],
    [{ $schema: 7 }, "dialect"],
    [{ properties: { a: { $schema: 7 } } }, "dialect"],
    [{ $async: true }, "asynchronous"],
    [7, "malformed"],
    [null, "malformed"],
  ];
  for (const [schema, why] of refused) {
    it(`reject ${JSON.stringify(schema)} as ${why}`, () => {
      const compiled = compileSchema(testableSchema(schema));
      assert.equal(compiled.kind === "refused" && compiled.why, why);
      assert.equal(checkPayload("{}", compiled, english).state, "unchecked");
    });
  }

  const leftOut: [schema: unknown, pointer: string][] = [
    [{ $ref: "http://169.254.169.254/latest/meta-data" }, "/$ref"],
    [{ $ref: "file:///etc/passwd" }, "/$ref"],
    [{ $ref: "other.json#/a" }, "/$ref"],
    [{ properties: { a: { $ref: "#/$defs/none" } } }, "/properties/a/$ref"],
    [{ $ref: "#none" }, "/$ref"],
    [{ $ref: "#/%zz" }, "/$ref"],
    [{ $ref: 7 }, "/$ref"],
    [{ $schema: uris["2020"], items: [{}] }, "/items"],
    [
      { $schema: uris["2020"], properties: { a: { $id: "b", items: [{}] } } },
      "/properties/a/items",
    ],
    [{ $schema: uris["07"], minimum: 1, exclusiveMinimum: true }, "/exclusiveMinimum"],
    [{ $schema: uris["07"], properties: { a: { required: true } } }, "/properties/a/required"],
    [{ prefixItems: [{}], items: [{}] }, "/items"],
    [{ type: "text" }, "/type"],
    [{ minimum: "1" }, "/minimum"],
    [{ maxLength: -1 }, "/maxLength"],
    [{ multipleOf: 0 }, "/multipleOf"],
    [{ anyOf: [] }, "/anyOf"],
    [{ required: "a" }, "/required"],
    [{ pattern: "[" }, "/pattern"],
    [{ properties: { a: 1 } }, "/properties/a"],
    [{ $defs: { a: { $id: "x" }, b: { $id: "x" } }, $ref: "x" }, "/$ref"],
  ];
  for (const [schema, pointer] of leftOut) {
    it(`leave ${pointer} out of ${JSON.stringify(schema)}`, () => {
      const compiled = compileSchema(testableSchema(schema));
      assert.equal(compiled.kind === "ready" && compiled.gap?.pointer, pointer);
      const { state, problems } = checkPayload("{}", compiled, english);
      const [told] = problems;
      assert.deepEqual(
        [state, told?.code, told?.schemaPointer],
        ["unchecked", "unchecked", pointer],
      );
    });
  }
});
