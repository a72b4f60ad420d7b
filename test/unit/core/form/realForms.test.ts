import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { editForm } from "../../../../src/core/form/editForm";
import { type FormDraft, type FormField, isGroup } from "../../../../src/core/form/formField";
import { readForm } from "../../../../src/core/form/readForm";
import type { JsonValue } from "../../../../src/core/json/jsonValue";
import {
  type TestableSchema,
  testableSchema,
} from "../../../../src/core/schema/read/testableSchema";
import { samplePayload } from "../../../../src/core/schema/sample/samplePayload";
import { english } from "../../../../src/core/text/language";
import { checkPayload } from "../../../../src/language/checkPayload";
import { compileSchema } from "../../../../src/language/compileSchema";
import { realSchemas } from "../../../fixtures/realSchemas";

/** Opens every group. */
const allShown = new Proxy({}, { get: () => 1000 });

/** Lists the visible fields of a draft by pointer. */
function fieldsOf(schema: TestableSchema, draft: FormDraft): ReadonlyMap<string, FormField> {
  const fields = new Map<string, FormField>();
  const gather = (field: FormField) => {
    fields.set(field.pointer, field);
    if (isGroup(field.control)) field.control.fields.forEach(gather);
  };
  gather(readForm(schema, draft, allShown, english).root);
  return fields;
}

/** Clicks each alternative of each field of a sample with all members. */
function* clicks(): Generator<{
  readonly told: string;
  readonly stays: boolean;
  readonly isBroken: boolean;
}> {
  for (const [name, source] of realSchemas()) {
    const schema = testableSchema(source);
    const compiled = compileSchema(schema);
    const isValid = (text: string) =>
      !checkPayload(text, compiled, english).problems.some(({ severity }) => severity === "error");
    const { value } = samplePayload(schema, { mode: "full" }, english);
    const draft = { text: JSON.stringify(value as JsonValue), unread: {} };
    const wasValid = isValid(draft.text);
    for (const { pointer, unions } of fieldsOf(schema, draft).values()) {
      for (const [union, { labels }] of unions.entries()) {
        for (const [branch, label] of labels.entries()) {
          const after = editForm(schema, draft, { what: "branch", pointer, union, branch });
          const chosen = fieldsOf(schema, after).get(pointer)?.unions[union];
          yield {
            told: `${name}${pointer}: ${label} gives ${chosen?.labels[chosen.chosen]} ${after.text}`,
            stays: chosen?.chosen === branch,
            isBroken: wasValid && !isValid(after.text),
          };
        }
      }
    }
  }
}

describe("a chosen alternative, with real schemas", () => {
  const all = [...clicks()];

  it("stays chosen", () => {
    assert.ok(all.length > 30, `${all.length} alternatives were chosen`);
    assert.deepEqual(
      all.filter(({ stays }) => !stays).map(({ told }) => told.slice(0, 400)),
      [],
    );
  });

  it("leaves a valid payload valid", () => {
    const broken = all.filter(({ isBroken }) => isBroken);
    assert.deepEqual(
      broken.map(({ told }) => told.slice(0, 400)),
      [],
    );
  });
});
