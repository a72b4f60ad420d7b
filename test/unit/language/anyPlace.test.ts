import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import type { JsonValue } from "../../../src/core/json/jsonValue";
import { assistanceSchema } from "../../../src/core/schema/assistanceSchema";
import { testableSchema } from "../../../src/core/schema/read/testableSchema";
import { samplePayload } from "../../../src/core/schema/sample/samplePayload";
import { english } from "../../../src/core/text/language";
import type { Proposal } from "../../../src/language/languageMessages";
import { SchemaAssistance } from "../../../src/language/schemaAssistance";
import { apiSchemas } from "../../fixtures/apiSchemas";
import { propertyRuns } from "../../fixtures/propertyRuns";
import { arbitrarySchema } from "./arbitrarySchema";

/** What a snippet writes when whoever takes it fills each bare stop with 0 and leaves the others. */
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

/** Places where something can be added: inside a bracket, and before and behind a value of a list. */
function places(text: string): number[] {
  return [...text.matchAll(/[{[](?=\n)|(?<=[^,\n])(?=\n)|(?<=,)(?=\n)/g)].map(
    ({ index, 0: sign }) => index + sign.length,
  );
}

/** The service falls into a circle of references that never gets to a value; its thread is replaced then. */
async function found(assistance: SchemaAssistance, text: string, place: number) {
  try {
    return await assistance.proposals(text, place);
  } catch (error) {
    assert.ok(error instanceof RangeError, String(error));
    return [];
  }
}

describe("completion at any place of a payload", () => {
  let count = 0;
  for (const [slug, schema] of Object.entries(apiSchemas)) {
    for (const mode of ["minimal", "full"] as const) {
      it(`leaves JSON as JSON: ${slug}, ${mode}`, async () => {
        const { value } = samplePayload(testableSchema(schema), { mode }, english);
        const text = JSON.stringify(value, undefined, 2);
        const assistance = new SchemaAssistance(
          assistanceSchema(testableSchema(schema as JsonValue), english),
        );
        for (const place of places(text)) {
          for (const proposal of await assistance.proposals(text, place)) {
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

  it("leaves JSON as JSON, whatever the schema", async () => {
    await fc.assert(
      fc.asyncProperty(arbitrarySchema, async (schema) => {
        const assistance = new SchemaAssistance(
          assistanceSchema(testableSchema(schema as JsonValue), english),
        );
        for (const marked of ["|", "{|}", "[|]", '{"a": |}', '{"a": {|}}', '{"a": 1, "b": [] |}']) {
          const text = marked.replace("|", "");
          for (const proposal of await found(assistance, text, marked.indexOf("|"))) {
            const after = taken(text, proposal);
            assert.doesNotThrow(() => JSON.parse(after), `${proposal.label}: ${after}`);
          }
        }
      }),
      { numRuns: propertyRuns(150) },
    );
  });

  it("is something to choose from", () => assert.ok(count > 200, `${count} proposals`));

  it("brings the comma that is missing in front of it", async () => {
    const assistance = new SchemaAssistance(
      assistanceSchema(testableSchema({ properties: { a: {}, b: {} } }), english),
    );
    const commas = async (text: string) =>
      (await assistance.proposals(text, text.length - 1)).map(({ label, comma }) => [label, comma]);
    assert.deepEqual(await commas('{"a": 1\n  }'), [["b", 7]]);
    assert.deepEqual(await commas('{"a": 1,\n  }'), [["b", undefined]]);
    assert.deepEqual(await commas("{ }"), [
      ["a", undefined],
      ["b", undefined],
    ]);
  });
});
