import { pointerSteps } from "../json/jsonPointer";
import type { JsonValue } from "../json/jsonValue";
import { RequestedRange, scanJson } from "../json/scanJson";
import type { TextRange } from "../json/token";
import type { Language, Translate } from "../text/language";
import { oneLine } from "../text/plainText";
import type { TextEdit } from "./fixes/textEdit";

/**
 * One problem of a payload with its range. `start` and `end` are UTF-16 offsets in the text: of the wrong value, of the
 * key of a disallowed property, or of the opening brace of an object that misses a property.
 */
export interface PayloadProblem {
  /**
   * The JSON Schema keyword that failed (`required`, `type`, …); `json` for invalid syntax (see `data.kind`);
   * `unchecked` if the schema could not be applied completely; `secret` for a text that looks like a credential.
   */
  code: string;
  /** One or two plain English sentences, no markup, at most a few hundred characters. */
  message: string;
  /**
   * Warnings (a `format` that does not match, a number that loses digits) and notes (a word that may be intended as it
   * is) block nothing.
   */
  severity: "error" | "warning" | "note";
  start: number;
  end: number;
  /**
   * The range to mark if the whole value has many lines: the opening bracket of a list or object, or the first surplus
   * item.
   */
  mark?: TextRange;
  /** Instance path as a JSON pointer; "" is the whole payload. */
  pointer: string;
  /** JSON pointer of the failed rule in the schema, if there is one. */
  schemaPointer?: string;
  /** The position of that rule in the schema's own document. Only some callers add it. */
  rule?: PositionRange;
  /** Data for a quick fix. */
  data?: PayloadProblemData;
  /** Whether the value is a null that ends the problem if its property is left out. */
  isOptionalNull?: true;
  /**
   * Whether this problem depends on a guess about the intended alternative of the schema: all of it (`branch`), or only
   * a value taken from the schema (`value`). Absent without a guess.
   */
  guess?: "branch" | "value";
}

/** Data for a quick fix. Lists are limited, values are JSON text. */
export type PayloadProblemData =
  /** `repair` is the edit that the parser assumed in order to continue. `lacksBraces`: around everything. */
  | { kind: "syntax"; repair?: TextEdit; lacksBraces?: true }
  | { kind: "empty" }
  | { kind: "byteOrderMark" }
  | { kind: "comment" }
  | { kind: "trailingComma" }
  | { kind: "duplicateKey"; name: string; firstStart: number }
  | { kind: "lossyNumber"; readAs: string }
  | { kind: "missingProperty"; name: string }
  /** `isSure`: no other known name is as similar. */
  | { kind: "unknownProperty"; name: string; didYouMean?: string; isSure?: boolean }
  | { kind: "wrongType"; expected: string[] }
  /** `isSure`: no other allowed text is as similar as `nearest`. */
  | { kind: "allowedValues"; values: string[]; total: number; nearest?: string; isSure?: boolean }
  | { kind: "limit"; limit: number }
  /** A text that does not match its pattern or format. */
  | { kind: "textForm" }
  | { kind: "repeatedItem" }
  /** `edits` write the value (JSON text), and its name if that is missing. `isGuess`: another value may be intended. */
  | { kind: "edit"; value: string; name?: string; edits: readonly TextEdit[]; isGuess?: true }
  /** Something that looks like a credential. */
  | { kind: "credential" }
  /** A placeholder without a value. */
  | { kind: "placeholder"; name: string; isSecret: boolean }
  /** A word in double braces that no environment declares. */
  | { kind: "undeclared"; name: string };

/** The kinds of problems whose message starts with a property's name. */
const namedKinds: readonly PayloadProblemData["kind"][] = ["unknownProperty", "duplicateKey"];

/**
 * Formats a problem for a list, after the property's path, such as `columns[0].name: Must be a string, not a number.`
 */
export function problemText({ pointer, message, data }: PayloadProblem): string {
  const steps = pointerSteps(pointer);
  const isNamed = data !== undefined && namedKinds.includes(data.kind);
  const path = pathText(isNamed ? steps.slice(0, -1) : steps);
  return path === "" ? message : `${path}: ${message}`;
}

/** The maximum length of a path. A longer one would leave no room for the message. */
const maxPath = 80;

function pathText(steps: readonly string[]): string {
  const path = steps
    .map((name, index) => {
      if (/^\d+$/.test(name)) return `[${name}]`;
      const isPlain = /^[^\s.()[\]":]+$/.test(name);
      return `${index === 0 ? "" : "."}${isPlain ? name : JSON.stringify(name)}`;
    })
    .join("");
  return oneLine(path.length > maxPath ? `…${path.slice(1 - maxPath)}` : path, maxPath);
}

/**
 * The verdict on a payload. `invalid` means at least one error. `unchecked` never counts as valid; `reason` says why.
 * At most 200 problems are listed; `hiddenProblems` counts the rest.
 */
export interface PayloadCheck {
  state: "valid" | "invalid" | "unchecked";
  problems: PayloadProblem[];
  hiddenProblems: number;
  reason?: string;
}

/**
 * Creates the result for a text that could not be checked, with the reason at its first character. `schemaPointer` is
 * the reason's path in the schema, if there is one.
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

/**
 * Describes in a few words how a check ended: `valid`, `3 problems`, `not checked` or `3 problems, not all checked`.
 * `count` is how many problems the reader sees; by default the errors.
 */
export function verdictText(
  check: PayloadCheck,
  { t }: Language,
  count = errorCount(check),
): string {
  switch (check.state) {
    case "valid":
      return t("valid");
    case "unchecked":
      return errorCount(check) === 0
        ? t("not checked")
        : t("{problems}, not all checked", { problems: problemCountText(count, t) });
    case "invalid":
      return problemCountText(count, t);
  }
}

function problemCountText(count: number, t: Translate): string {
  return count === 1 ? t("1 problem") : t("{count} problems", { count });
}

/** Lists the errors of a check, without its warnings. */
export function errorsOf(check: Pick<PayloadCheck, "problems">): readonly PayloadProblem[] {
  return check.problems.filter(({ severity }) => severity === "error");
}

/** Counts the errors of a check, including unlisted ones. Warnings do not count. */
export function errorCount(check: PayloadCheck): number {
  return errorsOf(check).length + check.hiddenProblems;
}

/** Describes how many more problems exist; empty for none. */
export function hiddenProblemsText(
  { hiddenProblems: count }: PayloadCheck,
  { t }: Language,
): string {
  if (count === 0) return "";
  return count === 1
    ? t("1 more problem is not listed.")
    : t("{count} more problems are not listed.", { count });
}

/** Converts the check of a text for a skill without a schema. A text that is JSON becomes `unchecked`. */
export function withoutSchema(check: PayloadCheck, { t }: Language): PayloadCheck {
  if (check.state !== "valid") return check;
  const reason = t(
    "This registry provides no input schema for the skill, so the payload was not checked.",
  );
  const { problems, ...unchecked } = uncheckedPayload(reason, "");
  return { ...check, ...unchecked, problems: [...check.problems, ...problems] };
}

/**
 * Finds the ranges of JSON pointers in a valid JSON text: from the key's start (the value's, for an item) to the
 * value's end. A missing value has no entry.
 */
export function jsonRanges(text: string, pointers: Iterable<string>): Map<string, TextRange> {
  return valueRanges(text, pointers, true);
}

/** Finds the ranges of values as `jsonRanges` does, but without their keys. */
export function valueRanges(
  text: string,
  pointers: Iterable<string>,
  isWithKey = false,
): Map<string, TextRange> {
  const root = new RequestedRange();
  const value = JSON.parse(text) as JsonValue;
  const requested = [...new Set(pointers)].map((pointer) => ({
    pointer,
    range: requestedRange(pointer, value, root),
  }));
  scanJson(text, root, 0, value);
  const found = new Map<string, TextRange>();
  for (const { pointer, range } of requested) {
    if (range.value === undefined) continue;
    const key = isWithKey ? range.key : undefined;
    found.set(pointer, { start: key?.start ?? range.value.start, end: range.value.end });
  }
  return found;
}

/** Finds the range of the value at a JSON pointer of a valid JSON text. Undefined if there is none. */
export function valueRange(text: string, pointer: string): TextRange | undefined {
  return valueRanges(text, [pointer]).get(pointer);
}

/** Marks only the opening bracket of a list or object over several lines. */
export function withShortMark(problem: PayloadProblem, text: string): PayloadProblem {
  const { start, end } = problem.mark ?? problem;
  const isContainer = text[start] === "{" || text[start] === "[";
  const lineEnd = text.indexOf("\n", start);
  if (!isContainer || lineEnd < 0 || lineEnd >= end) return problem;
  return { ...problem, mark: { start, end: start + 1 } };
}

/** Requests the range of the value at a JSON pointer of `value`, below `root`. */
export function requestedRange(
  pointer: string,
  value: unknown,
  root: RequestedRange,
): RequestedRange {
  let range = root;
  let at = value;
  for (const step of pointerSteps(pointer)) {
    const key = Array.isArray(at) ? Number(step) : step;
    range = range.below(key);
    at = typeof at === "object" && at !== null ? Reflect.get(at, key) : undefined;
  }
  return range;
}

/** The maximum length of a schema whose rules are located. In a longer one, no rule gets a range. */
const maxLocatedText = 500_000;

/** Formats a schema as its document shows it. */
export function schemaText(schema: JsonValue): string {
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

/** Adds to problems the ranges of the failed rules in the schema's own document (`schemaText`). */
export type AddRuleRanges = (problems: readonly PayloadProblem[]) => PayloadProblem[];

/** Creates an `AddRuleRanges` for a schema. Formats and scans the schema only when a problem has a rule. */
export function ruleRanges(schema: JsonValue): AddRuleRanges {
  let text: string | undefined;
  let starts: readonly number[] = [];
  const cache = new Map<string, PayloadProblem["rule"]>();
  const find = (pointers: readonly string[]) => {
    text ??= schemaText(schema);
    if (text.length > maxLocatedText) return;
    if (starts.length === 0) starts = lineStartsOf(text);
    const ranges = jsonRanges(text, pointers);
    for (const pointer of pointers) {
      const range = ranges.get(pointer);
      cache.set(pointer, range && positionsIn(starts, range));
    }
  };
  return (problems) => {
    const pointers = problems.flatMap(({ schemaPointer }) => schemaPointer ?? []);
    const unknown = pointers.filter((pointer) => !cache.has(pointer));
    if (unknown.length > 0) find(unknown);
    return problems.map((problem) => {
      const rule = cache.get(problem.schemaPointer ?? "");
      return problem.schemaPointer === undefined || rule === undefined
        ? problem
        : { ...problem, rule };
    });
  };
}

/** A position in a text: line and character, both counted from 0. */
export interface TextPosition {
  readonly line: number;
  readonly character: number;
}

/** A range between two positions. */
export interface PositionRange {
  readonly start: TextPosition;
  readonly end: TextPosition;
}

/** Lists the offsets at which the lines of a text start. Lines end as they do in the editor. */
export function lineStartsOf(text: string): readonly number[] {
  const starts = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/g)) starts.push(index + end.length);
  return starts;
}

/** Returns the line and character of an offset. `lineStarts` is the result of `lineStartsOf`. */
export function positionIn(lineStarts: readonly number[], offset: number): TextPosition {
  let [low, high] = [0, lineStarts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((lineStarts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low, character: offset - (lineStarts[low] ?? 0) };
}

/** Converts a range of offsets to positions, as `positionIn` does. */
export function positionsIn(
  lineStarts: readonly number[],
  { start, end }: TextRange,
): PositionRange {
  return { start: positionIn(lineStarts, start), end: positionIn(lineStarts, end) };
}
