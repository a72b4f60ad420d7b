import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { before, describe, it } from "mocha";
import type { PayloadProblem } from "../../../src/core/payload/payloadCheck";
import { english } from "../../../src/core/text/language";
import { checkPayload } from "../../../src/language/checkPayload";
import { compileSchema } from "../../../src/language/compileSchema";

interface SuiteGroup {
  description: string;
  schema: object | boolean;
  tests: { description: string; data: unknown; valid: boolean }[];
}

const suite = resolve("../shared/json-schema-test-suite");

describe("JSON Schema Test Suite, required tests", function () {
  this.timeout(30_000);
  before(function () {
    if (existsSync(suite)) return;
    console.log(`      The suite is not at ${suite}, so its tests are left out.`);
    this.skip();
  });

  const dialects: [folder: string, uri: string][] = [
    ["draft7", "http://json-schema.org/draft-07/schema#"],
    ["draft2020-12", "https://json-schema.org/draft/2020-12/schema"],
  ];
  for (const [folder, uri] of dialects) {
    it(`${folder}: no wrong verdict, and none missing but for what lies outside the schema`, () => {
      const counts = { right: 0, outside: 0 };
      for (const group of groupsOf(folder)) {
        const { schema } = group;
        const said = typeof schema === "boolean" ? schema : { $schema: uri, ...schema };
        const compiled = compileSchema(said);
        for (const test of group.tests) {
          const { state, problems } = checkPayload(JSON.stringify(test.data), compiled, english);
          const isOutside =
            compiled.kind === "refused"
              ? compiled.why === "dialect"
              : compiled.gap?.why === "outside";
          // What is told of a schema that lacks a part must hold for the whole one as well.
          if (isOutside && test.valid) assert.equal(errorsAmong(problems), 0, test.description);
          const expected = isOutside ? "unchecked" : test.valid ? "valid" : "invalid";
          assert.equal(state, expected, `${group.description}: ${test.description}`);
          counts[isOutside ? "outside" : "right"] += 1;
        }
      }
      assert.ok(counts.right > 850 && counts.outside < 60, JSON.stringify(counts));
    });
  }
});

function errorsAmong(problems: readonly PayloadProblem[]): number {
  return problems.filter(({ severity }) => severity === "error").length;
}

function groupsOf(folder: string): SuiteGroup[] {
  const files = readdirSync(join(suite, folder)).filter((file) => file.endsWith(".json"));
  return files.flatMap(
    (file) => JSON.parse(readFileSync(join(suite, folder, file), "utf8")) as SuiteGroup[],
  );
}
