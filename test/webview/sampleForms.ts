import { editForm } from "../../src/core/form/editForm";
import type { FormDraft, FormEdit, ShownFields } from "../../src/core/form/formField";
import { formProblems } from "../../src/core/form/formProblems";
import { readForm } from "../../src/core/form/readForm";
import type { JsonValue } from "../../src/core/json/jsonValue";
import { testableSchema } from "../../src/core/schema/read/testableSchema";
import { english, type Language } from "../../src/core/text/language";
import { checkPayload } from "../../src/language/checkPayload";
import { compileSchema } from "../../src/language/compileSchema";
import type { FormPart } from "../../src/protocol/pageMessages";

/** The host's part of a form, without an editor around it. */
export class SampleForm {
  draft: FormDraft;
  private shown: ShownFields = {};
  private readonly schema;

  constructor(
    schema: JsonValue,
    value: JsonValue,
    private readonly language: Language = english,
  ) {
    this.schema = testableSchema(schema);
    this.draft = { text: JSON.stringify(value, undefined, 2), unread: {} };
  }

  /** Returns the message for the page. */
  part(revision = 0): Omit<FormPart, "type"> {
    const form = readForm(this.schema, this.draft, this.shown, this.language);
    const check = checkPayload(this.draft.text, compileSchema(this.schema), this.language);
    const resolution = { ok: true, value: { text: this.draft.text } } as const;
    const problems = formProblems(form, this.draft, { check, resolution }, this.language);
    const starts = [{ kind: "minimal", title: "What the skill requires" }] as const;
    return { form, problems, revision, notes: [], starts, payload: this.draft.text };
  }

  /** Handles a message of the page; ignores messages that are not about the form. */
  take(message: unknown): void {
    const { type, edit, pointer, count } = message as {
      readonly type: string;
      readonly edit: FormEdit;
      readonly pointer: string;
      readonly count: number;
    };
    if (type === "editForm") this.draft = editForm(this.schema, this.draft, edit);
    if (type === "showFields") this.shown = { ...this.shown, [pointer]: count };
  }
}
