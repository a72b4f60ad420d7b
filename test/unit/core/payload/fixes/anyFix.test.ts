import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import { checkSyntax } from "../../../../../src/core/json/checkSyntax";
import type { JsonValue } from "../../../../../src/core/json/jsonValue";
import { findSecrets } from "../../../../../src/core/payload/findSecrets";
import { fixAllProblems, payloadFixes } from "../../../../../src/core/payload/fixes/payloadFixes";
import { applyEdits, type TextEdit } from "../../../../../src/core/payload/fixes/textEdit";
import type { PayloadProblem } from "../../../../../src/core/payload/payloadCheck";
import { propertyRuns } from "../../../../fixtures/propertyRuns";
import { arbitrarySchema, arbitraryValue } from "../../../language/arbitrarySchema";
import { checkedText } from "./checkedText";

const layouts = fc.constantFrom(undefined, "  ", "\t");

/** A renamed property and a shortened list count as different problems. */
function isSameProblem(left: PayloadProblem, right: PayloadProblem): boolean {
  return (
    left.code === right.code &&
    left.pointer === right.pointer &&
    left.schemaPointer === right.schemaPointer &&
    left.message === right.message &&
    JSON.stringify(left.data) === JSON.stringify(right.data)
  );
}

/** Generates JSON as people write it: with comments and trailing commas at every possible position. */
const annotated: fc.Arbitrary<(value: unknown) => string> = fc
  .tuple(
    fc.array(fc.constantFrom("", "", " ", "\n  ", "/* c */", '/* " */', "// it's \"\n"), {
      minLength: 1,
      maxLength: 12,
    }),
    fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
  )
  .map(([gaps, commas]) => (value) => {
    let count = 0;
    const gap = () => gaps[count++ % gaps.length] ?? "";
    const list = (open: string, members: readonly string[], close: string) => {
      const isTrailing = members.length > 0 && commas[count % commas.length] === true;
      return `${open}${gap()}${members.join(`,${gap()}`)}${isTrailing ? "," : ""}${gap()}${close}`;
    };
    const write = (part: unknown): string => {
      if (Array.isArray(part))
        return list(
          "[",
          part.map((item) => write(item) + gap()),
          "]",
        );
      if (typeof part !== "object" || part === null) return JSON.stringify(part);
      const members = Object.entries(part).map(
        ([name, below]) => `${JSON.stringify(name)}${gap()}:${gap()}${write(below)}${gap()}`,
      );
      return list("{", members, "}");
    };
    return gap() + write(value) + gap();
  });

function isReadable(text: string): boolean {
  return checkSyntax(text, 1).readable !== undefined;
}

function assertWithin(text: string, edits: readonly TextEdit[]): void {
  let last = 0;
  for (const { start, end } of edits.toSorted((one, other) => one.start - other.start)) {
    assert.ok(
      start >= last && end >= start && end <= text.length,
      "edits are apart and in the text",
    );
    last = end;
  }
}

describe("the fixes of any text and schema", () => {
  it("keep JSON valid, one by one and all together", () => {
    let applied = 0;
    fc.assert(
      fc.property(
        arbitraryValue,
        arbitrarySchema,
        layouts,
        fc.boolean(),
        (value, schema, indent, crlf) => {
          const written = JSON.stringify(value, undefined, indent);
          const text = crlf ? written.replaceAll("\n", "\r\n") : written;
          const input = checkedText(text, schema as JsonValue);
          for (const problem of input.problems) {
            for (const { edits, title } of payloadFixes(input, problem)) {
              assert.ok(edits.length > 0, title.text);
              assertWithin(text, edits);
              JSON.parse(applyEdits(text, edits));
              applied += 1;
            }
          }
          const { edits } = fixAllProblems(input);
          assertWithin(text, edits);
          const after = applyEdits(text, edits);
          JSON.parse(after);
          if (crlf && indent !== undefined) assert.doesNotMatch(after, /[^\r]\n/);
        },
      ),
      { numRuns: propertyRuns(2_000) },
    );
    assert.ok(applied > propertyRuns(300), `${applied} fixes were applied`);
  });

  it("keep JSON with comments and trailing commas readable, and make it valid all together", () => {
    let applied = 0;
    fc.assert(
      fc.property(arbitraryValue, arbitrarySchema, annotated, (value, schema, write) => {
        const text = write(value);
        const input = checkedText(text, schema as JsonValue);
        for (const problem of input.problems) {
          for (const { edits, title } of payloadFixes(input, problem)) {
            assertWithin(text, edits);
            const after = applyEdits(text, edits);
            assert.ok(isReadable(after), [text, after, title.text].join("\n"));
            applied += 1;
          }
        }
        let after = text;
        for (let round = 0; round < 8; round += 1) {
          const { edits } = fixAllProblems(checkedText(after, schema as JsonValue));
          if (edits.length === 0) break;
          assertWithin(after, edits);
          after = applyEdits(after, edits);
          assert.ok(isReadable(after), [text, after].join("\n"));
        }
        JSON.parse(after);
      }),
      { numRuns: propertyRuns(2_000) },
    );
    assert.ok(applied > propertyRuns(1_000), `${applied} fixes were applied`);
  });

  it("end their problem and write valid JSON", () => {
    const claims = new Map<string, number>();
    const limit = fc.nat({ max: 3 });
    // Generates what arbitrary schemas rarely contain: lists and numbers with several bounds at once.
    const lists = fc.record({ uniqueItems: fc.boolean(), minItems: limit, maxItems: limit });
    const numbers = fc.record(
      {
        type: fc.constantFrom("number", "integer"),
        minimum: limit,
        exclusiveMaximum: fc.constantFrom(1.5, 3, 4),
        multipleOf: fc.constantFrom(0.1, 0.5, 1.5, 2),
      },
      { requiredKeys: [] },
    );
    const texts = fc.record({ pattern: fc.constantFrom("^[a-z]+$", "^A"), minLength: limit });
    const bounded = fc.oneof(
      fc.tuple(fc.array(fc.constantFrom(0, 1, "a"), { maxLength: 5 }), lists),
      fc.tuple(fc.constantFrom(-1, 0, 0.25, 1, 1.7, 2, 5), numbers),
      fc.tuple(fc.constantFrom("Abc ", " abc", "ABC", ""), texts),
    );
    const any = fc.oneof(
      { weight: 3, arbitrary: fc.tuple(arbitraryValue, arbitrarySchema) },
      bounded,
    );
    fc.assert(
      fc.property(any, layouts, ([value, schema], indent) => {
        const text = JSON.stringify(value, undefined, indent);
        const input = checkedText(text, schema as JsonValue);
        for (const problem of input.problems) {
          for (const { edits, title } of payloadFixes(input, problem)) {
            const after = applyEdits(text, edits);
            const told = [text, after, title.text, JSON.stringify(schema)].join("\n");
            const left = checkedText(after, schema as JsonValue).problems;
            assert.ok(!left.some((one) => isSameProblem(one, problem)), told);
            const kind = problem.data?.kind ?? "";
            claims.set(kind, (claims.get(kind) ?? 0) + 1);
          }
        }
      }),
      { numRuns: propertyRuns(3_000) },
    );
    const kinds = ["allowedValues", "limit", "missingProperty", "unknownProperty", "wrongType"];
    for (const kind of [...kinds, "textForm", "repeatedItem"]) {
      const count = claims.get(kind) ?? 0;
      assert.ok(count > propertyRuns(8), `${count} fixes of ${kind} were tried`);
    }
  });

  it("turn literals of other languages into JSON, all at once", () => {
    const spelled = fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        fc.constantFrom("1", '"a"', "true", "'it\\'s'", "True", "None", "+1", ".5", "0x1F", "1_0"),
        fc.array(tie("value"), { maxLength: 3 }).map((items) => `[${items.join(", ")},]`),
        fc
          .uniqueArray(fc.constantFrom("a", "'b'", '"c"', "d_e", "7"), { maxLength: 3 })
          .chain((names) =>
            fc.tuple(...names.map((name) => tie("value").map((one) => [name, one]))),
          )
          .map((members) => `{${members.map((member) => member.join(": ")).join("\n")}}`),
      ),
    })).value;
    let mended = 0;
    fc.assert(
      fc.property(spelled, (text) => {
        // In an empty list, there is nothing before a comma that could be kept.
        const start = text.replaceAll("[,]", "[]");
        const input = checkedText(start, true);
        if (input.problems.length >= 20) return;
        const { edits } = fixAllProblems(input);
        JSON.parse(applyEdits(start, edits));
        mended += 1;
      }),
      { numRuns: propertyRuns(2_000) },
    );
    assert.ok(mended > propertyRuns(1_500), `${mended} texts were mended`);
  });

  it("are computed for any broken text", () => {
    const pieces = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"a"',
      '"',
      "1",
      " ",
      "\n",
      "//x\n",
      "/*y*/",
      "true",
      "'",
      "\ufeff",
    );
    let fixed = 0;
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join("");
        const input = checkedText(text, { required: ["b"], additionalProperties: false });
        for (const problem of input.problems) {
          for (const { edits } of payloadFixes(input, problem)) assertWithin(text, edits);
        }
        const { edits } = fixAllProblems(input);
        assertWithin(text, edits);
        const isWhole = input.problems.every(
          ({ data }) =>
            data?.kind === "comment" ||
            data?.kind === "trailingComma" ||
            data?.kind === "byteOrderMark",
        );
        if (!isWhole) return;
        JSON.parse(applyEdits(text, edits));
        fixed += edits.length > 0 ? 1 : 0;
      }),
      { numRuns: propertyRuns(3_000) },
    );
    assert.ok(fixed > propertyRuns(12), `${fixed} texts were fixed`);
  });

  it("never repeat a problem that they claim to end for certain", () => {
    let ended = 0;
    fc.assert(
      fc.property(arbitraryValue, arbitrarySchema, (value, schema) => {
        const text = JSON.stringify(value);
        const input = checkedText(text, schema as JsonValue);
        for (const problem of input.problems) {
          const sure = payloadFixes(input, problem).find(({ isUnambiguous }) => isUnambiguous);
          if (sure === undefined || problem.data?.kind !== "allowedValues") continue;
          const left = checkedText(applyEdits(text, sure.edits), schema as JsonValue).problems;
          const same = left.filter(
            ({ pointer, schemaPointer, data }) =>
              pointer === problem.pointer &&
              schemaPointer === problem.schemaPointer &&
              JSON.stringify(data) === JSON.stringify(problem.data),
          );
          assert.deepEqual(same, []);
          ended += 1;
        }
      }),
      { numRuns: propertyRuns(1_000) },
    );
    assert.ok(ended > propertyRuns(25), `${ended} problems were ended`);
  });

  it("and secrets are found in order without overlap", () => {
    const parts = fc.constantFrom(
      "AKIAQ3EGRXYZ2345ABCD",
      "sk-",
      "aB3dE7gH1jK5mN9pQ2sT6vX0z",
      " ",
      "ghp_",
      "-----BEGIN PRIVATE KEY-----",
    );
    let secrets = 0;
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), (all) => {
        const text = all.join("");
        const found = findSecrets(text, ["aB3dE7gH1jK5mN9pQ2sT6vX0z"]);
        assertWithin(
          text,
          found.map(({ start, end }) => ({ start, end, text: "" })),
        );
        secrets += found.length;
      }),
    );
    assert.ok(secrets > 80, `${secrets} secrets were found`);
  });
});
