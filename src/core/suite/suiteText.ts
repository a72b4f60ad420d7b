import { nextToken } from "../json/jsonTokens";
import type { JsonValue } from "../json/jsonValue";
import type { TextRange } from "../json/scanJson";
import {
  indentedJson,
  lineIndent,
  readContainer,
  type TextEdit,
  textStyle,
} from "../payload/fixes/textEdit";
import { type PayloadProblem, valueRange } from "../payload/payloadCheck";
import type { SkillAddress } from "../skill/skillAddress";
import type { SuiteCase } from "./suite";

/** Writes a new suite. */
export function suiteText({ slug, version }: SkillAddress, cases: readonly SuiteCase[]): string {
  const skill = version === "" ? slug : `${slug}@${version}`;
  return `${JSON.stringify({ format: 1, skill, cases }, undefined, 2)}\n`;
}

/** Adds a case to the end of a valid suite, written as the other cases are. */
export function addCaseEdit(text: string, one: SuiteCase): TextEdit {
  const { start } = valueRange(text, "/cases") ?? { start: 0 };
  const last = readContainer(text, start)?.members.at(-1);
  if (last === undefined) throw new Error("A valid suite has a case.");
  const isOnOneLine = !text.slice(start, last.start).includes("\n");
  const style = textStyle(text, "  ");
  const indent = lineIndent(text, last.start);
  const written = isOnOneLine
    ? ` ${JSON.stringify(one)}`
    : `${style.lineEnd}${indent}${indentedJson(one as unknown as JsonValue, style, indent)}`;
  return { start: last.end, end: last.end, text: `,${written}` };
}

/** Replaces the value at a JSON pointer of a text that is JSON. Undefined where there is none. */
export function replaceValueEdit(
  text: string,
  pointer: string,
  value: JsonValue,
): TextEdit | undefined {
  const range = valueRange(text, pointer);
  if (range === undefined) return undefined;
  const style = textStyle(text, "  ");
  return { ...range, text: indentedJson(value, style, lineIndent(text, range.start)) };
}

/** The parts of a suite that its skill decides about. */
export interface SuiteParts {
  /** The name of the skill as it is written, with its quotes; the space for it where it is missing. */
  readonly skill: TextRange | undefined;
  /** Each payload, with the space before it; that space alone where it is missing. */
  readonly payloads: readonly PayloadPart[];
}

/** The range of a payload in its suite. */
export interface PayloadPart extends TextRange {
  /** Which case it belongs to, from 0. */
  readonly index: number;
}

/** Finds the parts of a suite that is being typed: the text need not be JSON. */
export function suiteParts(text: string): SuiteParts {
  let skill: TextRange | undefined;
  const payloads: PayloadPart[] = [];
  const open: { readonly isObject: boolean; step: string | number | undefined }[] = [];
  /** The value that is being read, with the number of containers that are open around it. */
  let value: { readonly start: number; readonly depth: number } | undefined;
  const close = (end: number) => {
    if (value === undefined) return;
    const { start } = value;
    value = undefined;
    if (open.length === 1) skill = { start, end };
    else payloads.push({ index: Number(open[1]?.step), start, end });
  };
  for (let at = 0; ; ) {
    const token = nextToken(text, at);
    const { kind, start, end } = token;
    at = end;
    const inside = open.at(-1);
    const isAfter = value?.depth === open.length && (kind === "," || kind === "}");
    const isLast = isAfter || kind === "end";
    if (isLast) close(lastEnd(text, start, value?.start ?? start));
    if (kind === "end") return { skill, payloads };
    if (kind === "{" || kind === "[") {
      open.push(kind === "{" ? { isObject: true, step: undefined } : { isObject: false, step: 0 });
    } else if (kind === "}" || kind === "]") open.pop();
    else if (inside === undefined || kind === "comment") continue;
    else if (kind === ",") inside.step = inside.isObject ? undefined : Number(inside.step) + 1;
    else if (kind === ":") {
      if (value === undefined && isPart(open.map(({ step }) => step))) {
        value = { start: end, depth: open.length };
      }
    } else if (inside.isObject && inside.step === undefined) {
      inside.step = text.slice(start + 1, end - 1);
    }
  }
}

function isPart(path: readonly (string | number | undefined)[]): boolean {
  const [first, , last] = path;
  const isOfCase = path.length === 3 && first === "cases" && last === "payload";
  return isOfCase || (path.length === 1 && first === "skill");
}

/** A value ends before the space that follows it, but where there is nothing else. */
function lastEnd(text: string, end: number, start: number): number {
  const trimmed = text.slice(start, end).trimEnd();
  return trimmed === "" ? end : start + trimmed.length;
}

/** Moves the ranges of a problem to where its payload starts in a suite. */
export function movedProblem(problem: PayloadProblem, by: number): PayloadProblem {
  const { start, end, mark } = problem;
  return {
    ...problem,
    start: start + by,
    end: end + by,
    ...(mark !== undefined && { mark: { start: mark.start + by, end: mark.end + by } }),
  };
}
