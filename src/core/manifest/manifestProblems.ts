import { childAt, pointerOf, pointerSteps } from "../json/jsonPointer";
import { JsonTokens } from "../json/jsonTokens";
import type { JsonValue } from "../json/jsonValue";
import type { TextRange } from "../json/token";
import { addMembers } from "../payload/fixes/propertyFixes";
import { indentedJson, lineIndent, textStyle } from "../payload/fixes/textEdit";
import {
  jsonRanges,
  type PayloadProblem,
  type PayloadProblemData,
  valueRanges,
  withShortMark,
} from "../payload/payloadCheck";
import { type Language, localize } from "../text/language";
import { isReviewCode, type ManifestFinding, type ManifestFix } from "./manifestRules";

/**
 * Locates findings in the text of a manifest, which is JSON. A missing value is marked at its nearest existing parent.
 */
export function problemsOfFindings(
  text: string,
  manifest: JsonValue,
  findings: readonly ManifestFinding[],
  language: Language,
): readonly PayloadProblem[] {
  if (findings.length === 0) return [];
  const at = new Map(findings.map(({ pointer }) => [pointer, presentPointer(manifest, pointer)]));
  const targets = findings.flatMap(({ fix }) => (fix === undefined ? [] : [fix.pointer]));
  const ranges = valueRanges(text, [...at.values(), ...targets, ...targets.map(parentOf)]);
  const renamed = findings.flatMap(({ betterName, pointer }) => (betterName ? [pointer] : []));
  const members = jsonRanges(text, renamed);
  return findings.map(({ code, severity, pointer, message, fix, betterName }) => {
    const member = members.get(pointer);
    if (betterName !== undefined && member !== undefined) {
      const name = pointerSteps(pointer).at(-1) ?? "";
      const { start, end } = nameRange(text, member.start);
      const data = { kind: "unknownProperty", name, didYouMean: betterName } as const;
      return { code, severity, message: localize(message, language), start, end, pointer, data };
    }
    const present = at.get(pointer) ?? "";
    const { start, end } = ranges.get(present) ?? { start: 0, end: 0 };
    const data = fix && editOf(text, fix, ranges);
    const problem: PayloadProblem = {
      code,
      severity,
      message: localize(message, language),
      start,
      end,
      pointer: present,
      ...(data && { data }),
    };
    return withShortMark(problem, text);
  });
}

/** Returns the range of the name of the member that starts at `start`. */
function nameRange(text: string, start: number): TextRange {
  const tokens = new JsonTokens(text, start);
  tokens.next();
  return { start, end: tokens.end };
}

/** Shortens a pointer until it points to an existing value. */
function presentPointer(manifest: JsonValue, pointer: string): string {
  const steps: string[] = [];
  for (let at: JsonValue | undefined = manifest, rest = pointerSteps(pointer); ; ) {
    const [step, ...others] = rest;
    at = step === undefined ? undefined : childAt(at, step);
    if (step === undefined || at === undefined) return pointerOf(steps);
    steps.push(step);
    rest = others;
  }
}

function parentOf(pointer: string): string {
  return pointerOf(pointerSteps(pointer).slice(0, -1));
}

/** Creates the edit that replaces a value or adds a missing member; undefined if its parent is missing too. */
function editOf(
  text: string,
  { pointer, value, isGuess }: ManifestFix,
  ranges: ReadonlyMap<string, TextRange>,
): Extract<PayloadProblemData, { kind: "edit" }> | undefined {
  const style = textStyle(text, "  ");
  const inLine = Array.isArray(value)
    ? `[${value.map((item) => JSON.stringify(item)).join(", ")}]`
    : JSON.stringify(value);
  const edit = { kind: "edit", value: inLine, ...(isGuess && { isGuess }) } as const;
  const range = ranges.get(pointer);
  if (range !== undefined) {
    const isOnLines = text.slice(range.start, range.end).includes("\n");
    const onLines = indentedJson(value, style, lineIndent(text, range.start));
    return { ...edit, edits: [{ ...range, text: isOnLines ? onLines : inLine }] };
  }
  const object = ranges.get(parentOf(pointer));
  if (object === undefined) return undefined;
  const name = pointerSteps(pointer).at(-1) ?? "";
  const edits = addMembers(text, object.start, [{ name, value }], [name], style);
  return { ...edit, name, edits };
}

/** A step of publishing: save a draft, or submit a version for review. */
export type PublishingStep = "save" | "submit";

/** Lists the problems of a manifest that prevent a step. */
export function blockingProblems(
  problems: readonly PayloadProblem[],
  step: PublishingStep,
): readonly PayloadProblem[] {
  return problems.filter(
    ({ severity, code }) => severity === "error" && (step === "submit" || !isReviewCode(code)),
  );
}

/**
 * Merges problems found by the schema of a manifest with problems found by rules. If both mark one value, the rule's
 * message wins, because it is more specific. Members unknown to the schema become warnings, since registries accept
 * them.
 */
export function withRules(
  bySchema: readonly PayloadProblem[],
  others: readonly PayloadProblem[],
): readonly PayloadProblem[] {
  const told = new Set(
    others.filter(({ severity }) => severity === "error").map(({ pointer }) => pointer),
  );
  const unmatched = bySchema
    .filter(({ code, pointer }) => !(textRules.includes(code) && told.has(pointer)))
    .map((problem) =>
      isUnknownMember(problem) ? { ...problem, severity: "warning" as const } : problem,
    );
  return [...unmatched, ...others].toSorted((one, other) => one.start - other.start);
}

/** Schema keywords that a rule's message replaces. */
const textRules: readonly string[] = ["pattern", "minLength", "maxLength"];

function isUnknownMember({ code, pointer }: PayloadProblem): boolean {
  return code === "additionalProperties" && !/^\/(in|out)putSchema\//.test(pointer);
}
