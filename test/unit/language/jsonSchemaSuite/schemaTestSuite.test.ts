import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "mocha";
import type { PayloadCheck } from "../../../../src/core/payload/payloadCheck";
import { testableSchema } from "../../../../src/core/schema/read/testableSchema";
import { english } from "../../../../src/core/text/language";
import { checkPayload } from "../../../../src/language/checkPayload";
import { compileSchema } from "../../../../src/language/compileSchema";
import { suiteExpectations, type Verdict } from "./suiteExpectations";

interface SuiteGroup {
  description: string;
  schema: object | boolean;
  tests: { description: string; data: unknown; valid: boolean }[];
}

const suite = "test/fixtures/jsonSchemaTestSuite";

/**
 * Each draft, with the dialect's name and the number of tests, all of which run. With an undefined name,
 * the schemas declare no dialect.
 */
const drafts: readonly (readonly [folder: string, uri: string | undefined, tests: number])[] = [
  ["draft4", "http://json-schema.org/draft-04/schema#", 937],
  ["draft6", "http://json-schema.org/draft-06/schema#", 1270],
  ["draft7", "http://json-schema.org/draft-07/schema#", 1721],
  ["draft2019-09", "https://json-schema.org/draft/2019-09/schema", 2174],
  ["draft2020-12", "https://json-schema.org/draft/2020-12/schema", 2225],
  ["draft4", undefined, 937],
  ["draft2020-12", undefined, 2225],
];

describe("the JSON Schema Test Suite", () => {
  /** The listed verdicts that no test has used so far. */
  const unneeded = new Set(
    suiteExpectations.flatMap((one) =>
      (["valid", "invalid"] as const)
        .filter((own) => one[own] !== undefined)
        .map((own) => `${own}: ${one.tests}`),
    ),
  );

  for (const [folder, uri, tests] of drafts) {
    const title = uri === undefined ? `undeclared ${folder}` : folder;
    it(`has the suite's verdicts, or the listed ones instead, in ${title}`, () => {
      const wrong: string[] = [];
      let tried = 0;
      for (const [file, groups] of filesOf(folder)) {
        for (const { description, schema, tests } of groups) {
          const said = typeof schema === "boolean" ? schema : declaring(uri, schema);
          const compiled = compileSchema(testableSchema(said));
          for (const test of tests) {
            const check = checkPayload(JSON.stringify(test.data), compiled, english);
            const name = `${title}/${file} › ${description} › ${test.description}`;
            const expected = expectedOf(name, test.valid ? "valid" : "invalid");
            const verdict = verdictOf(check);
            if (verdict !== expected) wrong.push(`${name}: ${verdict}, not ${expected}`);
            // Problems found with a part of a schema left out must also hold for the whole schema.
            if (test.valid && expected !== "invalid" && hasErrors(check))
              wrong.push(`${name}: errors in what is valid`);
            tried += 1;
          }
        }
      }
      assert.deepEqual(wrong, []);
      assert.equal(tried, tests);
    });
  }

  it("uses every listed verdict", () => assert.deepEqual([...unneeded], []));

  function expectedOf(name: string, own: "valid" | "invalid"): Verdict {
    const expectation = suiteExpectations.find(({ tests }) => tests.test(name));
    const instead = expectation?.[own];
    if (instead === undefined) return own;
    unneeded.delete(`${own}: ${expectation?.tests}`);
    return instead;
  }
});

function declaring(uri: string | undefined, schema: object): object {
  if (uri !== undefined) return { $schema: uri, ...schema };
  const { $schema, ...rest } = schema as { $schema?: unknown };
  const isOfDraft = drafts.some(([, own]) => own === $schema);
  return isOfDraft ? rest : schema;
}

function verdictOf({ state, problems }: PayloadCheck): Verdict {
  return state === "valid" && problems.length > 0 ? "warned" : state;
}

function hasErrors({ problems }: PayloadCheck): boolean {
  return problems.some(({ severity }) => severity === "error");
}

function filesOf(draft: string): [file: string, groups: SuiteGroup[]][] {
  return Object.entries(JSON.parse(readFileSync(join(suite, `${draft}.json`), "utf8")));
}
