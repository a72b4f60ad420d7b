import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { isJsonObject, type JsonValue } from "../../../../../src/core/json/jsonValue";
import type { FixInput } from "../../../../../src/core/payload/fixes/payloadFix";
import { fixAllProblems } from "../../../../../src/core/payload/fixes/payloadFixes";
import { applyEdits } from "../../../../../src/core/payload/fixes/textEdit";
import type { PayloadProblem } from "../../../../../src/core/payload/payloadCheck";
import { testableSchema } from "../../../../../src/core/schema/read/testableSchema";
import { samplePayload } from "../../../../../src/core/schema/sample/samplePayload";
import { english } from "../../../../../src/core/text/language";
import { propertyRuns } from "../../../../fixtures/propertyRuns";
import { realSchemas } from "../../../../fixtures/realSchemas";
import { textChecker } from "./checkedText";

/** What a person pastes: a mail, a query and JSON with its own quotes. */
const pasted = [
  "Dear all,\nplease find: the list\n\nBest, Ann",
  "SELECT a, b\r\nFROM t\r\nWHERE c = 'it''s'",
  "one: {\n  two, [3]: 4,\n}\n// and so on",
];

/** Yields the same value with each of its parts replaced in turn by each of `others`. */
function* changed(
  value: JsonValue,
  others: (part: JsonValue) => readonly JsonValue[],
): Generator<JsonValue> {
  yield* others(value);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      for (const other of changed(item, others)) yield value.with(index, other);
  } else if (isJsonObject(value)) {
    for (const [name, member] of Object.entries(value))
      for (const other of changed(member, others)) yield { ...value, [name]: other };
  }
}

/** A sample with all members of each schema. */
function* payloads() {
  for (const [name, schema] of realSchemas()) {
    const { value } = samplePayload(testableSchema(schema), { mode: "full" }, english);
    yield { name, check: textChecker(schema), value: value as JsonValue };
  }
}

/** Applies *Fix all* until nothing is left to fix, as on each save. */
function fixedText(text: string, check: (text: string) => FixInput): string {
  let now = text;
  for (let round = 0; round < 5; round += 1) {
    const { edits } = fixAllProblems(check(now));
    if (edits.length === 0) break;
    now = applyEdits(now, edits);
  }
  return now;
}

function errorCount(problems: readonly PayloadProblem[]): number {
  return problems.filter(({ severity }) => severity === "error").length;
}

describe("Fix all, with real schemas", () => {
  it("escapes the line breaks of a pasted text, and changes nothing else in it", () => {
    const wrong: string[] = [];
    let count = 0;
    const check = textChecker(true);
    for (const { name, value } of payloads()) {
      const texts = (part: JsonValue) => (typeof part === "string" ? pasted : []);
      for (const meant of changed(value, texts)) {
        const raw = pasted.find((text) => JSON.stringify(meant).includes(JSON.stringify(text)));
        const escaped = JSON.stringify(raw);
        const text = JSON.stringify(meant, undefined, 2).replace(escaped, () => `"${raw}"`);
        const { length } = check(text).problems;
        const after = fixedText(text, check);
        count += 1;
        const wanted = JSON.stringify(meant, undefined, 2).replaceAll("\\r\\n", "\\n");
        if (length !== 1 || after !== wanted) wrong.push(`${name}: ${length} problems, ${after}`);
      }
    }
    assert.ok(count > 30, `${count} texts were pasted`);
    assert.deepEqual(wrong, []);
  });

  it("keeps every string that a person wrote, whichever sign is missing", () => {
    const wrong: string[] = [];
    for (const { name, check, value } of payloads()) {
      const text = JSON.stringify(value, undefined, 2);
      const strings = [...text.matchAll(/"(?:[^"\\]|\\.)*"/g)];
      const signs = [...text.matchAll(/[{}[\],:"]/g)].slice(0, propertyRuns(80));
      for (const { index } of signs) {
        const broken = text.slice(0, index) + text.slice(index + 1);
        const after = fixedText(broken, check);
        const [changed] = strings.filter(
          ({ 0: string, index: start }) =>
            (index < start || index >= start + string.length) && !after.includes(string),
        );
        if (changed !== undefined)
          wrong.push(`${name} without ${text[index]} at ${index}: ${changed[0]}\n${after}`);
      }
    }
    assert.deepEqual(wrong, []);
  });

  it("leaves fewer errors than before", () => {
    const wrong: string[] = [];
    let count = 0;
    const values = [5, "5", true, null, [], ["a"], {}, { a: 1 }, "yes", [1]];
    for (const { name, check, value } of payloads()) {
      for (const given of changed(value, () => values)) {
        const text = JSON.stringify(given);
        const input = check(text);
        const { edits } = fixAllProblems(input);
        if (edits.length === 0) continue;
        count += 1;
        const after = applyEdits(text, edits);
        const left = errorCount(check(after).problems);
        if (left < errorCount(input.problems)) continue;
        const told = edits.map((edit) => `${text.slice(edit.start, edit.end)} → ${edit.text}`);
        wrong.push(`${name}: ${told.join(", ")}`);
      }
    }
    assert.ok(count > 30, `${count} payloads were fixed`);
    assert.deepEqual(wrong, []);
  });
});
