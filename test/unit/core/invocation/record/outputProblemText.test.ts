import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { outputProblemText } from "../../../../../src/core/invocation/record/outputDocument";
import { testableSchema } from "../../../../../src/core/schema/read/testableSchema";
import { english } from "../../../../../src/core/text/language";
import { checkPayload } from "../../../../../src/language/checkPayload";
import { compileSchema } from "../../../../../src/language/compileSchema";

/** Text and output schema in; out: whether each problem is described as breaking the schema. */
const cases: [what: string, schema: object, text: string, breaks: boolean[]][] = [
  ["a broken rule", { type: "string" }, "1", [true]],
  ["a format", { format: "date" }, '"x"', [true]],
  ["a number that loses digits", {}, "9007199254740993", [false]],
  ["a schema that cannot be applied whole", { type: "strng", minimum: 2 }, "1", [false, true]],
];

describe("the message about a problem of an output", () => {
  for (const [what, schema, text, breaks] of cases) {
    it(`${breaks.includes(true) ? "says" : "does not say"} that the output does not match: ${what}`, () => {
      const { problems } = checkPayload(text, compileSchema(testableSchema(schema)), english);
      const words = problems.map((problem) => outputProblemText(problem, english));
      assert.deepEqual(
        words.map((one) => one.endsWith(". Output does not match the schema.")),
        breaks,
      );
    });
  }

  it("names the property first", () => {
    const schema = { properties: { rows: { minimum: 3 } } };
    const { problems } = checkPayload(
      '{"rows": 2}',
      compileSchema(testableSchema(schema)),
      english,
    );
    assert.deepEqual(
      problems.map((problem) => outputProblemText(problem, english)),
      ["rows: Must be 3 or more. Output does not match the schema."],
    );
  });
});
