import { sentValues } from "../environment/placeholderText";
import type { PayloadResolution } from "../environment/resolvedPayload";
import { pointerStep } from "../json/jsonPointer";
import {
  hiddenProblemsText,
  type PayloadCheck,
  type PayloadProblem,
} from "../payload/payloadCheck";
import type { Language } from "../text/language";
import { whyNotJson } from "./editForm";
import { type Form, type FormDraft, type FormField, isGroup } from "./formField";

/** A problem of a payload, or a value that replaces a placeholder, at the field that shows it. */
export interface FieldProblem {
  readonly pointer: string;
  readonly message: string;
  readonly severity: "error" | "warning" | "information";
}

/** The problems that a check found, for display in a form. */
export interface FormProblems {
  readonly all: readonly FieldProblem[];
  /** The summary beside the Invoke button; undefined if there are no problems. */
  readonly summary: ProblemSummary | undefined;
  /** A sentence that says how many problems are not listed; empty if all are. */
  readonly more: string;
}

/** A sentence about the problems of a payload, and the field of the first. */
interface ProblemSummary {
  readonly pointer: string;
  readonly text: string;
}

/**
 * Assigns each problem of a payload to its field, or to the nearest visible parent. A field with invalid JSON gets that
 * as a problem. Adds the values that replace placeholders.
 */
export function formProblems(
  form: Form,
  draft: FormDraft,
  { check, resolution }: { readonly check: PayloadCheck; readonly resolution: PayloadResolution },
  language: Language,
): FormProblems {
  const shown = new Map<string, FormField>();
  const gather = (field: FormField) => {
    const { pointer, control } = field;
    shown.set(pointer, field);
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
    severity: severity === "note" ? ("information" as const) : severity,
  }));
  const sent = resolution.ok ? sentValues(resolution.value, language) : [];
  const values = sent.map(({ pointer, message }): FieldProblem => {
    return { pointer: nearest(pointer), message, severity: "information" };
  });
  const all = [...unread, ...found, ...values];
  return {
    all,
    summary: summaryOf(all, unread.length > 0, (pointer) => shown.get(pointer)?.label, language),
    more: hiddenProblemsText(check, language),
  };
}

/** Returns the summary. Invalid text of JSON fields comes first: it prevents sending, but the check does not see it. */
function summaryOf(
  all: readonly FieldProblem[],
  isUnread: boolean,
  labelOf: (pointer: string) => string | undefined,
  { t }: Language,
): ProblemSummary | undefined {
  const first = isUnread ? all[0] : all.find(({ severity }) => severity === "error");
  if (first === undefined) return undefined;
  const { pointer, message } = first;
  const name = labelOf(pointer) || t("Payload");
  const count = all.filter(({ severity }) => severity === "error").length;
  const text = isUnread
    ? t("“{name}” is not JSON, so nothing can be sent.", { name })
    : count === 1
      ? message
      : t("{count} problems. {first}", { count, first: message });
  return { pointer, text };
}

/** Returns the field of a problem. A missing member is a field of its own. */
function pointerOf({ pointer, data }: Pick<PayloadProblem, "pointer" | "data">): string {
  return data?.kind === "missingProperty" ? `${pointer}/${pointerStep(data.name)}` : pointer;
}
