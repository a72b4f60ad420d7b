import { pointerStep } from "../json/jsonPointer";
import {
  hiddenProblemsText,
  type PayloadCheck,
  type PayloadProblem,
} from "../payload/payloadCheck";
import type { Language } from "../text/language";
import { whyNotJson } from "./editForm";
import { type Form, type FormDraft, type FormField, isGroup } from "./formField";

/** A problem of a payload, at the field of a form that shows it. */
export interface FieldProblem {
  /** Of the field. */
  readonly pointer: string;
  readonly message: string;
  readonly severity: "error" | "warning";
}

/** What a form shows of a check. */
export interface FormProblems {
  readonly all: readonly FieldProblem[];
  /** How many more there are; empty for none. */
  readonly more: string;
}

/** More of them are read one after the other as they are mended. */
const maxProblems = 100;

/**
 * Puts each problem of a payload to the field that it is about, or to the nearest one around it that is shown, and what
 * was typed and is no JSON to its own.
 */
export function formProblems(
  form: Form,
  draft: FormDraft,
  check: PayloadCheck,
  language: Language,
): FormProblems {
  const shown = new Set<string>();
  const gather = ({ pointer, control }: FormField) => {
    shown.add(pointer);
    if (isGroup(control)) control.fields.forEach(gather);
  };
  gather(form.root);
  const nearest = (pointer: string) => {
    let at = pointer;
    while (at !== "" && !shown.has(at)) at = at.slice(0, at.lastIndexOf("/"));
    return at;
  };
  const unread = Object.entries(draft.unread).flatMap(([pointer, text]): FieldProblem[] => {
    const message = whyNotJson(text, language);
    return message === undefined ? [] : [{ pointer: nearest(pointer), message, severity: "error" }];
  });
  const found = check.problems.map(({ message, severity, ...problem }) => ({
    pointer: nearest(pointerOf(problem)),
    message,
    severity,
  }));
  return {
    all: [...unread, ...found].slice(0, maxProblems),
    more: hiddenProblemsText(check, language),
  };
}

/** What is missing is shown where it would be. */
function pointerOf({ pointer, data }: Pick<PayloadProblem, "pointer" | "data">): string {
  return data?.kind === "missingProperty" ? `${pointer}/${pointerStep(data.name)}` : pointer;
}
