import type { JsonValue } from "../json/jsonValue";
import {
  indentedJson,
  lineIndent,
  readContainer,
  type TextEdit,
  textStyle,
} from "../payload/fixes/textEdit";
import { valueRange } from "../payload/payloadCheck";
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
