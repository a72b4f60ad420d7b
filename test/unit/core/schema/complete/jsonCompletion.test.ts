import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonValue } from "../../../../../src/core/json/jsonValue";
import { proposalsAt } from "../../../../../src/core/schema/complete/proposals";
import { testableSchema } from "../../../../../src/core/schema/read/testableSchema";
import { english } from "../../../../../src/core/text/language";
import cases from "../../../../fixtures/jsonCompletion/cases.json";

/** The proposals at `|`; `because` is the reason for a difference from the original case. */
interface Case {
  readonly text: string;
  readonly has: readonly string[];
  readonly lacks?: readonly string[];
  readonly because?: string;
}

describe("completion in the cases of the JSON language service", () => {
  let count = 0;
  for (const [number, { schema, cases: texts }] of cases.entries()) {
    for (const { text, has, lacks = [], because } of texts as readonly Case[]) {
      count += 1;
      const reason = because === undefined ? "" : `, since ${because}`;
      const labels = has.length === 0 ? "nothing else" : JSON.stringify(has).slice(0, 60);
      it(`proposes ${labels} at ${JSON.stringify(text)} by schema ${number + 1}${reason}`, () => {
        const offset = text.indexOf("|");
        const read = testableSchema(schema as JsonValue);
        const proposals = proposalsAt(read, text.replace("|", ""), offset, english);
        const found = proposals.map(({ label }) => label);
        assert.deepEqual(
          has.filter((label) => !found.includes(label)),
          [],
          found.join(),
        );
        assert.deepEqual(
          lacks.filter((label) => found.includes(label)),
          [],
        );
        if (has.length === 0 && lacks.length === 0) assert.deepEqual(found, []);
      });
    }
  }
  it("is tested in all 82", () => assert.equal(count, 82));
});
