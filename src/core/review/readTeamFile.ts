import { checkSyntax } from "../json/checkSyntax";
import type { JsonValue } from "../json/jsonValue";
import { RequestedRange, scanJson } from "../json/scanJson";
import type { PayloadProblem } from "../payload/payloadCheck";
import { jsonRanges } from "../payload/schemaRanges";
import { evaluateSchema } from "../schema/evaluate/evaluateSchema";
import type { PatternTest } from "../schema/evaluate/evaluation";
import { quoted } from "../schema/explain/failureText";
import { problemOfFailure, requestRange } from "../schema/explain/problemOfFailure";
import { readSchema } from "../schema/read/readSchema";
import type { Language } from "../text/language";
import { localize } from "../text/localizableText";

/**
 * A file of a team (policy, reviews, a contract, a suite) that was read, or what is wrong with it, each
 * at its place. A repository may come from anywhere: nothing of a file that is not whole is used.
 */
export type TeamFileReading<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problems: readonly PayloadProblem[] };

/** A file's schema, which is ours, and how many characters it may have. */
export interface TeamFileFormat {
  readonly schema: JsonValue;
  readonly maxLength: number;
}

/** Upper limit of problems reported for one file. */
const maxProblems = 50;
/** As deep as what a registry sends may be. */
const maxDepth = 1000;

/**
 * Reads a file by its schema, with the messages and places that the editor has for it. `also` finds
 * what no schema can say: a pointer and a message for each problem.
 */
export function readTeamFile<Value>(
  text: string,
  { schema, maxLength }: TeamFileFormat,
  language: Language,
  also: (value: Value) => readonly PointedProblem[] = () => [],
): TeamFileReading<Value> {
  const { t } = language;
  if (text.length > maxLength) {
    const message = t("This file is too large: at most {count} characters are read.", {
      count: maxLength,
    });
    return { ok: false, problems: [problemAt("size", message, { start: 0, end: 0 })] };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const { findings } = checkSyntax(text, maxProblems);
    const problems = findings.map(({ message, start, end }) =>
      problemAt("json", localize(message, language), { start, end }),
    );
    return { ok: false, problems };
  }
  if (isTooDeep(value)) {
    const message = t("This file is nested too deeply.");
    return { ok: false, problems: [problemAt("json", message, { start: 0, end: 0 })] };
  }
  const problems = [
    ...schemaProblems(text, value, schema, language),
    ...duplicateKeys(text, language),
  ];
  if (problems.length > 0) return { ok: false, problems };
  const pointed = also(value as Value);
  if (pointed.length === 0) return { ok: true, value: value as Value };
  return { ok: false, problems: pointedProblems(text, pointed.slice(0, maxProblems)) };
}

/** A problem at a JSON pointer, in words. */
export interface PointedProblem {
  readonly pointer: string;
  readonly message: string;
}

/** Puts problems at JSON pointers of a text that is JSON to their places in it. */
function pointedProblems(text: string, pointed: readonly PointedProblem[]): PayloadProblem[] {
  const ranges = jsonRanges(
    text,
    pointed.map(({ pointer }) => pointer),
  );
  return pointed.map(({ pointer, message }) => ({
    ...problemAt("review", message, ranges.get(pointer) ?? { start: 0, end: 0 }),
    pointer,
  }));
}

function schemaProblems(
  text: string,
  value: unknown,
  schema: JsonValue,
  language: Language,
): PayloadProblem[] {
  const read = readSchema(schema);
  if (read.kind === "refused")
    throw new Error(`A schema of ours is no schema: ${read.reason.text}`);
  const verdict = evaluateSchema({ ...read, testOf: patternTests() }, value, {
    limit: maxProblems,
  });
  if (verdict.kind === "undecided") throw new Error(`A schema of ours is ${verdict.cause}.`);
  const root = new RequestedRange();
  const requested = verdict.findings.failures.map((failure) => ({
    failure,
    range: requestRange(failure, root),
  }));
  scanJson(text, root, 0);
  return requested.map(({ failure, range }) => problemOfFailure(failure, range, language));
}

/** The patterns are ours: none of them backtracks. */
function patternTests(): (pattern: string) => PatternTest {
  const tests = new Map<string, PatternTest>();
  return (pattern) => {
    const expression = new RegExp(pattern, "u");
    const test = tests.get(pattern) ?? ((text: string) => expression.test(text));
    tests.set(pattern, test);
    return test;
  };
}

function duplicateKeys(text: string, { t }: Language): PayloadProblem[] {
  const { duplicateKeys: found } = scanJson(text, new RequestedRange(), maxProblems);
  return found.map(({ name, range }) => {
    const words = t("Duplicate property {name}. JSON parsers disagree on which value wins.", {
      name: quoted(name),
    });
    return problemAt("json", words, range);
  });
}

/** Walks level by level: a recursive walk is what deep nesting would break. */
function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true;
    level = level.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function problemAt(
  code: string,
  message: string,
  { start, end }: { readonly start: number; readonly end: number },
): PayloadProblem {
  return { code, message, severity: "error", start, end, pointer: "" };
}
