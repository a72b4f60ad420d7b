import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import { evaluateSchema, fitsSchema } from "../../../src/core/schema/evaluate/evaluateSchema";
import { testableSchema } from "../../../src/core/schema/read/testableSchema";
import { english } from "../../../src/core/text/language";
import { checkPayload } from "../../../src/language/checkPayload";
import { compileSchema } from "../../../src/language/compileSchema";
import { propertyRuns } from "../../fixtures/propertyRuns";
import { arbitrarySchema, arbitraryValue } from "./arbitrarySchema";

describe("the two engines", () => {
  it("agree on any schema and value, and list failures exactly if there are any", () => {
    const values = fc.array(arbitraryValue, { minLength: 3, maxLength: 6 });
    let compared = 0;
    fc.assert(
      fc.property(arbitrarySchema, values, (schema, given) => {
        const compiled = compileSchema(testableSchema(schema));
        if (compiled.kind === "refused" || compiled.ajvVerdict === undefined) return;
        for (const value of given) {
          const verdict = evaluateSchema(compiled.schema, value);
          const fast: string | undefined = compiled.ajvVerdict(compiled.schema.root, value);
          if (verdict.kind === "undecided" || fast === undefined) continue;
          compared += 1;
          const { failures, warnings } = verdict.findings;
          assert.equal(verdict.fits, fast !== "fails");
          assert.equal(verdict.fits, fitsSchema(compiled.schema, value));
          assert.equal(verdict.fits, failures.length === 0);
          if (fast === "clean") assert.deepEqual(warnings, []);
        }
      }),
      { numRuns: propertyRuns(3000) },
    );
    assert.ok(compared > propertyRuns(10_000), `${compared} verdicts were compared`);
  });

  it("find the same with and without ajv, and every problem is inside the text", () => {
    let compared = 0;
    fc.assert(
      fc.property(arbitrarySchema, arbitraryValue, (schema, value) => {
        const compiled = compileSchema(testableSchema(schema));
        if (compiled.kind === "refused" || compiled.ajvVerdict === undefined) return;
        const text = JSON.stringify(value, null, 1);
        const { ajvVerdict: _, ...alone } = compiled;
        const check = checkPayload(text, compiled, english);
        const unaided = checkPayload(text, alone, english);
        // ajv ignores a circle of references that decides nothing; our own evaluation reports it.
        if (unaided.state !== "unchecked") {
          assert.deepEqual(check, unaided);
          compared += 1;
        }
        for (const { start, end } of check.problems) {
          assert.ok(start >= 0 && start < end && end <= text.length);
        }
      }),
      { numRuns: propertyRuns(2000) },
    );
    assert.ok(compared > propertyRuns(1_500), `${compared} checks were compared`);
  });
});
