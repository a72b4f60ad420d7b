import type { TextRange } from "../json/scanJson";
import type { Language, Translate } from "../text/language";
import { oneLine } from "../text/plainText";
import type { TextEdit } from "./fixes/textEdit";
import type { TextPosition } from "./textPosition";

/**
 * Says one thing that is wrong with a payload, and where. `start` and `end` are UTF-16 offsets in
 * the text: the offending value, the key of a property that should not be there, or the opening
 * brace of the object that misses one.
 */
export interface PayloadProblem {
  /**
   * The JSON Schema keyword that failed (`required`, `type`, …); `json` for what is wrong with the
   * text itself (`data.kind` tells what); `unchecked` where the schema could not be
   * applied, or not all of it; `secret` for what looks like a credential.
   */
  code: string;
  /** One or two plain English sentences, no markup, at most a few hundred characters. */
  message: string;
  /** Warnings (a `format` that does not hold, a number that loses digits) block nothing. */
  severity: "error" | "warning";
  start: number;
  end: number;
  /**
   * What to mark instead, where the whole would be many lines: the opening bracket of a list or
   * object, or the item that is one too many.
   */
  mark?: TextRange;
  /** Instance path as a JSON pointer; "" is the whole payload. */
  pointer: string;
  /** JSON pointer of the failed rule in the schema, where the failure came from one. */
  schemaPointer?: string;
  /** Where that rule stands in the schema's own document; absent where it was not looked for. */
  rule?: { readonly start: TextPosition; readonly end: TextPosition };
  /** What a quick fix needs to know. */
  data?: PayloadProblemData;
}

/** What a quick fix needs to know about a problem. Lists are bounded, values are JSON text. */
export type PayloadProblemData =
  /** `repair` is what to write there so that the reader of the text could go on. */
  | { kind: "syntax"; repair?: TextEdit }
  | { kind: "empty" }
  | { kind: "byteOrderMark" }
  | { kind: "comment" }
  | { kind: "trailingComma" }
  | { kind: "duplicateKey"; name: string; firstStart: number }
  | { kind: "lossyNumber"; readAs: string }
  | { kind: "missingProperty"; name: string }
  | { kind: "unknownProperty"; name: string; didYouMean?: string }
  | { kind: "wrongType"; expected: string[]; actual: string }
  | { kind: "allowedValues"; values: string[]; total: number; nearest?: string }
  | { kind: "limit"; limit: number; actual: number }
  /** A text that has not the pattern or format it should have. */
  | { kind: "textForm" }
  | { kind: "repeatedItem" }
  /** Something that looks like a credential. */
  | { kind: "credential" };

/** Problems whose message begins with the name of a member of the object they are about. */
const namedKinds: readonly PayloadProblemData["kind"][] = ["unknownProperty", "duplicateKey"];

/**
 * Says a problem so that it can be read alone, as in a list of problems: behind the name of the property
 * it is about, such as `columns[0].name: Must be a string, not a number.`
 */
export function problemText({ pointer, message, data }: PayloadProblem): string {
  const steps = pointer.split("/").slice(1);
  const isNamed = data !== undefined && namedKinds.includes(data.kind);
  const path = pathText(isNamed ? steps.slice(0, -1) : steps);
  return path === "" ? message : `${path}: ${message}`;
}

/** A longer path would leave no room for what it is about. */
const maxPath = 80;

function pathText(steps: readonly string[]): string {
  const path = steps
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((name, index) => {
      if (/^\d+$/.test(name)) return `[${name}]`;
      const isPlain = /^[^\s.()[\]":]+$/.test(name);
      return `${index === 0 ? "" : "."}${isPlain ? name : JSON.stringify(name)}`;
    })
    .join("");
  return oneLine(path.length > maxPath ? `…${path.slice(1 - maxPath)}` : path, maxPath);
}

/**
 * The verdict on a payload. `invalid` means at least one error; warnings alone leave it `valid`;
 * `unchecked` never counts as valid and says why in `reason`. At most 200 problems are listed,
 * `hiddenProblems` counts the rest that were found.
 */
export interface PayloadCheck {
  state: "valid" | "invalid" | "unchecked";
  problems: PayloadProblem[];
  hiddenProblems: number;
  reason?: string;
}

/**
 * Says that a text could not be checked, and why, at its first character. `schemaPointer` is the path
 * in the schema that is the reason, where there is one.
 */
export function uncheckedPayload(
  reason: string,
  text: string,
  schemaPointer?: string,
): PayloadCheck {
  const start = Math.max(0, text.slice(0, 10_000).search(/\S/));
  const problem = {
    code: "unchecked",
    message: reason,
    severity: "warning" as const,
    start,
    end: Math.min(start + 1, text.length),
    pointer: "",
    ...(schemaPointer === undefined ? {} : { schemaPointer }),
  };
  return { state: "unchecked", problems: [problem], hiddenProblems: 0, reason };
}

/** Says in a few words how a check ended: `valid`, `3 problems`, `not checked` or `3 problems, not all checked`. */
export function verdictText(check: PayloadCheck, { t }: Language): string {
  const count = errorCount(check);
  switch (check.state) {
    case "valid":
      return t("valid");
    case "unchecked":
      return count === 0
        ? t("not checked")
        : t("{problems}, not all checked", { problems: problemCountText(count, t) });
    case "invalid":
      return problemCountText(count, t);
  }
}

function problemCountText(count: number, t: Translate): string {
  return count === 1 ? t("1 problem") : t("{count} problems", { count });
}

/** Counts the errors of a check, those not listed included. Warnings do not count. */
export function errorCount(check: PayloadCheck): number {
  const listed = check.problems.filter(({ severity }) => severity === "error").length;
  return listed + check.hiddenProblems;
}

/** Turns the check of a text for which there is no schema into what it is: the text is JSON, no more is known. */
export function withoutSchema(check: PayloadCheck, { t }: Language): PayloadCheck {
  if (check.state !== "valid") return check;
  const reason = t(
    "This registry provides no input schema for the skill, so the payload was not checked.",
  );
  const problem = {
    code: "unchecked",
    message: reason,
    severity: "warning" as const,
    start: 0,
    end: 0,
    pointer: "",
  };
  return { ...check, state: "unchecked", reason, problems: [...check.problems, problem] };
}
