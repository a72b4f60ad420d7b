import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import type { JsonValue } from "../../../src/core/json/jsonValue";
import type { Proposal } from "../../../src/core/schema/complete/proposal";
import { proposalsAt } from "../../../src/core/schema/complete/proposals";
import { testableSchema } from "../../../src/core/schema/read/testableSchema";
import { samplePayload } from "../../../src/core/schema/sample/samplePayload";
import { english } from "../../../src/core/text/language";
import { apiSchemas } from "../../fixtures/apiSchemas";
import { propertyRuns } from "../../fixtures/propertyRuns";
import { arbitrarySchema } from "./arbitrarySchema";

/** Returns the text of a snippet, with 0 at each empty tab stop and the defaults at the others. */
function written(snippet: string): string {
  return snippet
    .replaceAll(/\$\{\d+:((?:\\.|[^}\\])*)\}/g, "$1")
    .replaceAll(/"(?:\$\{\d+\}|\$\d+)"/g, '""')
    .replaceAll(/([[{])(?:\$\{\d+\}|\$\d+)/g, "$1")
    .replaceAll(/\$\{\d+\}|\$\d+/g, "0")
    .replaceAll(/\\([\\$}])/g, "$1");
}

function taken(text: string, { start, end, snippet, comma }: Proposal): string {
  const whole = text.slice(0, start) + written(snippet) + text.slice(end);
  return comma === undefined ? whole : `${whole.slice(0, comma)},${whole.slice(comma)}`;
}

/** Returns the offsets at which something can be added: after a bracket, and before and after a value of a list. */
function places(text: string): number[] {
  return [...text.matchAll(/[{[](?=\n)|(?<=[^,\n])(?=\n)|(?<=,)(?=\n)/g)].map(
    ({ index, 0: sign }) => index + sign.length,
  );
}

describe("completion at every position of a payload", () => {
  let count = 0;
  for (const [slug, schema] of Object.entries(apiSchemas)) {
    for (const mode of ["minimal", "full"] as const) {
      it(`keeps JSON valid: ${slug}, ${mode}`, () => {
        const { value } = samplePayload(testableSchema(schema), { mode }, english);
        const text = JSON.stringify(value, undefined, 2);
        const read = testableSchema(schema as JsonValue);
        for (const place of places(text)) {
          for (const proposal of proposalsAt(read, text, place, english)) {
            const after = taken(text, proposal);
            count += 1;
            assert.doesNotThrow(
              () => JSON.parse(after),
              `${proposal.label} at ${place}:\n${after}`,
            );
          }
        }
      });
    }
  }

  it("keeps JSON valid for any schema", () => {
    fc.assert(
      fc.property(arbitrarySchema, (schema) => {
        const read = testableSchema(schema as JsonValue);
        for (const marked of ["|", "{|}", "[|]", '{"a": |}', '{"a": {|}}', '{"a": 1, "b": [] |}']) {
          const text = marked.replace("|", "");
          for (const proposal of proposalsAt(read, text, marked.indexOf("|"), english)) {
            const after = taken(text, proposal);
            assert.doesNotThrow(() => JSON.parse(after), `${proposal.label}: ${after}`);
          }
        }
      }),
      { numRuns: propertyRuns(150) },
    );
  });

  it("offers more than 200 proposals in total", () => assert.ok(count > 200, `${count} proposals`));

  it("adds a missing comma before it", () => {
    const read = testableSchema({ properties: { a: {}, b: {} } });
    const commas = (text: string) =>
      proposalsAt(read, text, text.length - 1, english).map(({ label, comma }) => [label, comma]);
    assert.deepEqual(commas('{"a": 1\n  }'), [["b", 7]]);
    assert.deepEqual(commas('{"a": 1,\n  }'), [["b", undefined]]);
    assert.deepEqual(commas("{ }"), [
      ["a", undefined],
      ["b", undefined],
    ]);
  });
});
