import { valueAt } from "../../json/jsonPointer";
import { parsedJson } from "../../json/jsonValue";
import type { TextRange } from "../../json/token";
import {
  applyEdits,
  readContainer,
  removeMember,
  type TextEdit,
} from "../../payload/fixes/textEdit";
import { valueRange, valueRanges } from "../../payload/payloadCheck";
import type { Language } from "../../text/language";
import { caseReferences, referenceText } from "../caseValues";
import { caseNameProblem } from "../newCase";
import { readSnapshots, readSuite, type Suite } from "../suite";
import { suiteParts } from "../suiteText";

/** The name of a case in the text of its suite, without quotes. */
export interface CaseNameRange extends TextRange {
  readonly index: number;
  readonly name: string;
}

/** Finds the name of a case around an offset of a valid suite. Undefined if there is none. */
export function caseNameAt(text: string, offset: number): CaseNameRange | undefined {
  const value = parsedJson(text);
  const cases = valueAt(value, "/cases");
  if (!Array.isArray(cases)) return undefined;
  const pointers = cases.map((_, index) => `/cases/${index}/name`);
  const ranges = valueRanges(text, pointers);
  for (const [index, pointer] of pointers.entries()) {
    const range = ranges.get(pointer);
    const name = valueAt(value, pointer);
    if (range === undefined || typeof name !== "string") continue;
    if (range.start <= offset && offset <= range.end) {
      return { index, name, start: range.start + 1, end: range.end - 1 };
    }
  }
  return undefined;
}

/** The texts that know a case by its name. */
export interface CaseTexts {
  readonly suite: string;
  /** The file of stored outputs; undefined without one. */
  readonly snapshots: string | undefined;
  /** The payload file of a case; undefined if it has none, or it cannot be read. */
  readonly payloadFile: (suiteCase: Suite["cases"][number]) => string | undefined;
}

/** The edits that rename a case everywhere; each list belongs to one text. */
export interface CaseRenaming {
  readonly suite: readonly TextEdit[];
  readonly snapshots: readonly TextEdit[];
  /** By the path of the payload file, as the suite writes it. */
  readonly payloadFiles: ReadonlyMap<string, readonly TextEdit[]>;
}

/**
 * Renames a case with its stored output and with all references to it. Returns why it cannot be renamed as a `problem`:
 * an invalid suite, a name in use, an output stored under that name, or references that would lead to another case.
 */
export function renameCase(
  texts: CaseTexts,
  { index, name, start, end }: CaseNameRange,
  newName: string,
  language: Language,
): CaseRenaming | { readonly problem: string } {
  const { t } = language;
  const read = readSuite(texts.suite, language);
  if (!read.ok) return { problem: t("Fix the problems of this suite first.") };
  const to = newName.trim();
  const { cases } = read.value;
  const problem = caseNameProblem(to, cases, language);
  if (problem !== "") return { problem };
  const renamed = cases.map((item, at) => (at === index ? { ...item, name: to } : item));
  const isKept = (before: string, after: string, at: number) =>
    references(before, cases, at).join("\n") === references(after, renamed, at).join("\n");
  const inSuite: TextEdit[] = [{ start, end, text: JSON.stringify(to).slice(1, -1) }];
  const payloadFiles = new Map<string, readonly TextEdit[]>();
  const clash = t("A reference would lead to another case. Choose another name.");
  for (const part of suiteParts(texts.suite).payloads) {
    const payload = texts.suite.slice(part.start, part.end);
    const edits = referenceEdits(payload, cases, part.index, name, to);
    if (!isKept(payload, applyEdits(payload, edits), part.index)) return { problem: clash };
    inSuite.push(...edits.map((edit) => moved(edit, part.start)));
  }
  for (const [at, item] of cases.entries()) {
    const text = item.payloadFile === undefined ? undefined : texts.payloadFile(item);
    if (item.payloadFile === undefined || text === undefined) continue;
    const edits = referenceEdits(text, cases, at, name, to);
    if (!isKept(text, applyEdits(text, edits), at)) return { problem: clash };
    if (edits.length > 0) payloadFiles.set(item.payloadFile, edits);
  }
  const stored = texts.snapshots === undefined ? undefined : readSnapshots(texts.snapshots);
  if (stored?.has(to)) {
    return { problem: t("An output is stored under this name. Choose another name.") };
  }
  const snapshots = renameOutputEdit(texts.snapshots ?? "", name, to);
  return { suite: inSuite, snapshots: snapshots === undefined ? [] : [snapshots], payloadFiles };
}

function referenceEdits(
  text: string,
  cases: Suite["cases"],
  at: number,
  from: string,
  to: string,
): readonly TextEdit[] {
  return caseReferences(text, earlierNames(cases, at))
    .filter(({ caseName }) => caseName === from)
    .map(({ start, end, pointer }) => ({ start, end, text: referenceText(to, pointer) }));
}

/** Lists what the references of a payload lead to: the index of the case, and the pointer. */
function references(text: string, cases: Suite["cases"], at: number): readonly string[] {
  const earlier = earlierNames(cases, at);
  return caseReferences(text, earlier).map(
    ({ caseName, pointer }) => `${earlier.indexOf(caseName)} ${pointer}`,
  );
}

function earlierNames(cases: Suite["cases"], at: number): readonly string[] {
  return cases.slice(0, at).map(({ name }) => name);
}

function moved({ start, end, text }: TextEdit, by: number): TextEdit {
  return { start: start + by, end: end + by, text };
}

/** Returns the range of a stored output's name in its file, with the quotes. Undefined if it is not stored. */
export function outputNameRange(snapshots: string, name: string): TextRange | undefined {
  const outputs =
    parsedJson(snapshots) === undefined ? undefined : valueRange(snapshots, "/outputs");
  const members = outputs && readContainer(snapshots, outputs.start, Infinity)?.members;
  const member = members?.findLast((item) => item.name === name);
  if (member === undefined) return undefined;
  const length = /^"(?:[^"\\]|\\.)*"/.exec(snapshots.slice(member.start, member.end))?.[0].length;
  return { start: member.start, end: member.start + (length ?? 0) };
}

/** Gives a stored output another name, at its place in the file. Undefined if it is not stored. */
export function renameOutputEdit(
  snapshots: string,
  from: string,
  to: string,
): TextEdit | undefined {
  const range = outputNameRange(snapshots, from);
  return range && { ...range, text: JSON.stringify(to) };
}

/** Removes a stored output from its file. Undefined if it is not stored, or too long. */
export function removeOutputEdit(snapshots: string, name: string): TextEdit | undefined {
  const range = outputNameRange(snapshots, name);
  return range && removeMember(snapshots, range.start);
}
