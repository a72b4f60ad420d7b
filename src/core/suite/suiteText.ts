import { TokenPath } from "../json/jsonPointer";
import { JsonTokens } from "../json/jsonTokens";
import { type JsonValue, parsedJson } from "../json/jsonValue";
import { type TextRange, Token } from "../json/token";
import {
  indentedJson,
  insertMembers,
  lineIndent,
  memberWriter,
  readContainer,
  type TextEdit,
  textStyle,
} from "../payload/fixes/textEdit";
import { type PayloadProblem, valueRange } from "../payload/payloadCheck";
import { addressText, readSkillAddress, type SkillAddress } from "../skill/skillAddress";
import type { SuiteCase } from "./suite";

/** Writes a new suite. */
export function suiteText({ slug, version }: SkillAddress, cases: readonly SuiteCase[]): string {
  const skill = addressText(slug, version);
  return `${JSON.stringify({ format: 1, skill, cases }, undefined, 2)}\n`;
}

/** Adds a case to the end of a valid suite, formatted like the others. */
export function addCaseEdit(text: string, suiteCase: SuiteCase): TextEdit {
  const { start } = valueRange(text, "/cases") ?? { start: 0 };
  const cases = readContainer(text, start);
  if (cases === undefined) throw new Error("A valid suite has cases.");
  const style = textStyle(text, "  ");
  const written = memberWriter(undefined, suiteCase as unknown as JsonValue, style);
  return insertMembers(text, cases, cases.members.length - 1, [written], style);
}

/** Replaces the value at a JSON pointer of a JSON text. Undefined for none. */
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

/** The parts of a suite that depend on its skill. */
export interface SuiteParts {
  /** The range from the colon to the end of the skill's name. Without a name, it contains only white space. */
  readonly skill: TextRange | undefined;
  /** The parsed address; undefined if it is invalid. */
  readonly address: SkillAddress | undefined;
  /** The ranges from the colon to the end of each payload. Without a payload, a range contains only white space. */
  readonly payloads: readonly PayloadPart[];
}

/** The range of a payload in its suite. */
export interface PayloadPart extends TextRange {
  readonly index: number;
}

/** Finds the parts of a suite while it is typed. The text may be invalid JSON. */
export function suiteParts(text: string): SuiteParts {
  let skill: TextRange | undefined;
  const payloads: PayloadPart[] = [];
  const tokens = new JsonTokens(text);
  const path = new TokenPath();
  /** The value that is being read, with the number of containers that are open around it. */
  let value: { readonly start: number; readonly depth: number } | undefined;
  for (;;) {
    const kind = tokens.next();
    const { start, end } = tokens;
    const mayEnd = kind === Token.comma || kind === Token.closeBrace;
    if (value !== undefined && (kind === Token.end || (mayEnd && value.depth === path.depth))) {
      const range = { start: value.start, end: lastEnd(text, start, value.start) };
      value = undefined;
      if (path.depth === 1) skill = range;
      else payloads.push({ index: Number(path.steps()[1]), ...range });
    }
    if (kind === Token.end) {
      const address = skill && readSkillAddress(parsedJson(text.slice(skill.start, skill.end)));
      return { skill, address, payloads };
    }
    if (kind === Token.colon && value === undefined && isPart(path)) {
      value = { start: end, depth: path.depth };
    }
    path.take(tokens);
  }
}

function isPart(path: TokenPath): boolean {
  if (path.depth !== 1 && path.depth !== 3) return false;
  const [first, , last] = path.steps();
  return path.depth === 1 ? first === "skill" : first === "cases" && last === "payload";
}

/** Returns the end of a value without trailing white space. For a missing value, returns the end of the white space. */
function lastEnd(text: string, end: number, start: number): number {
  const trimmed = text.slice(start, end).trimEnd();
  return trimmed === "" ? end : start + trimmed.length;
}

/** Moves the ranges of a problem by the payload's offset in a suite. */
export function movedProblem(problem: PayloadProblem, by: number): PayloadProblem {
  const { start, end, mark, data } = problem;
  return {
    ...problem,
    start: start + by,
    end: end + by,
    ...(mark !== undefined && { mark: { start: mark.start + by, end: mark.end + by } }),
    ...(data?.kind === "duplicateKey" && { data: { ...data, firstStart: data.firstStart + by } }),
  };
}
