import { checkSyntax } from "../../json/checkSyntax";
import { isDeeperThan, isJsonObject, type JsonValue } from "../../json/jsonValue";
import { readAsText } from "../../json/lossyNumbers";
import { RequestedRange, scanJson } from "../../json/scanJson";
import { jsonRanges, type PayloadProblem } from "../../payload/payloadCheck";
import { evaluateSchema } from "../../schema/evaluate/evaluateSchema";
import {
  type InstancePath,
  type PatternTest,
  type SchemaFailure,
  stepsOf,
} from "../../schema/evaluate/evaluation";
import { quoted } from "../../schema/explain/describeFailure";
import { problemOfFailure, requestRange } from "../../schema/explain/problemOfFailure";
import { readSchema } from "../../schema/read/readSchema";
import { type Chunked, runSync } from "../../text/chunked";
import { type Language, localize } from "../../text/language";

/**
 * A team file (policy, reviews, a contract, a suite) that was read, or its problems, each with its range. A
 * repository may come from anywhere: no part of an invalid file is used.
 */
export type TeamFileReading<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problems: readonly PayloadProblem[] };

/** A file's schema, which is ours, and its maximum length in characters. */
export interface TeamFileFormat {
  readonly schema: JsonValue;
  readonly maxLength: number;
  /** True where its values are sent or compared, so that a number that loses digits is an error. */
  readonly isExact?: boolean;
  /** The member whose items are checked in chunks, since there may be thousands of them. */
  readonly list?: { readonly name: string; readonly maxItems: number };
}

/** Upper limit of problems reported for one file. */
const maxProblems = 50;
/** The same depth that a registry's response may have. */
const maxDepth = 1000;
/** This many items of a list take a few milliseconds. */
const itemsAtOnce = 100;

/**
 * Reads a file by its schema, with the messages and ranges that the editor shows. `also` checks what no
 * schema can express: it returns a JSON pointer and a message for each problem.
 */
export function readTeamFile<Value>(
  text: string,
  format: TeamFileFormat,
  language: Language,
  also: (value: Value) => readonly PointedProblem[] = () => [],
): TeamFileReading<Value> {
  return runSync(readTeamFileChunked(text, format, language, also));
}

/** Reads a file as `readTeamFile` does, with pauses where it is long. */
export function* readTeamFileChunked<Value>(
  text: string,
  format: TeamFileFormat,
  language: Language,
  also: (value: Value) => readonly PointedProblem[] = () => [],
): Chunked<TeamFileReading<Value>> {
  const { maxLength } = format;
  const { t } = language;
  if (text.length > maxLength) {
    const message = t("This file is too large: at most {count} characters are read.", {
      count: maxLength,
    });
    return { ok: false, problems: [problemAt("size", message, { start: 0, end: 0 })] };
  }
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch {
    const { findings } = checkSyntax(text, maxProblems);
    const problems = findings.map(({ message, start, end }) =>
      problemAt("json", localize(message, language), { start, end }),
    );
    return { ok: false, problems };
  }
  yield;
  if (isDeeperThan(value, maxDepth)) {
    const message = t("This file is nested too deeply.");
    return { ok: false, problems: [problemAt("json", message, { start: 0, end: 0 })] };
  }
  yield;
  const failures = yield* schemaFailures(value, format);
  const problems = problemsIn(text, failures, format, language);
  if (problems.length > 0) return { ok: false, problems };
  yield;
  const pointed = also(value as Value);
  if (pointed.length === 0) return { ok: true, value: value as Value };
  yield;
  return { ok: false, problems: pointedProblems(text, pointed.slice(0, maxProblems)) };
}

/** A problem at a JSON pointer, with its message. */
export interface PointedProblem {
  readonly pointer: string;
  readonly message: string;
}

/** Finds the ranges of problems at JSON pointers in a text that is JSON. */
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

/** Yields the schema violations, up to `maxProblems`. */
function* schemaFailures(
  value: unknown,
  { schema, list }: TeamFileFormat,
): Chunked<readonly SchemaFailure[]> {
  const read = readSchema(schema);
  if (read.refusal !== undefined)
    throw new Error(`A schema of ours is no schema: ${read.refusal.reason.text}`);
  const own = { ...read, testOf: patternTests() };
  const found: SchemaFailure[] = [];
  for (const { part, from } of partsOf(value, list)) {
    const verdict = evaluateSchema(own, part, { limit: maxProblems - found.length });
    if (verdict.kind === "undecided") throw new Error(`A schema of ours is ${verdict.cause}.`);
    const { failures } = verdict.findings;
    found.push(...failures.map((failure) => fromItem(failure, list?.name, from)));
    if (found.length >= maxProblems) break;
    yield;
  }
  return found;
}

/** The value once for each chunk of its list, with the index of the first item; else the value itself. */
function* partsOf(value: unknown, list: TeamFileFormat["list"]): Iterable<ValuePart> {
  const items = list !== undefined && isJsonObject(value) ? value[list.name] : undefined;
  // Too many items are a problem of the whole.
  if (list === undefined || !Array.isArray(items) || items.length > list.maxItems) {
    yield { part: value, from: 0 };
    return;
  }
  for (let from = 0; from === 0 || from < items.length; from += itemsAtOnce) {
    const some = items.slice(from, from + itemsAtOnce);
    yield { part: { ...(value as object), [list.name]: some }, from };
  }
}

interface ValuePart {
  readonly part: unknown;
  readonly from: number;
}

/** Converts the path of a failure in a chunk to the path in the whole value. */
function fromItem(failure: SchemaFailure, list: string | undefined, from: number): SchemaFailure {
  const [first, index, ...rest] = stepsOf(failure.path);
  if (first === undefined || first !== list || typeof index !== "number") return failure;
  const root: InstancePath = { parent: { parent: undefined, key: first }, key: index + from };
  const path = rest.reduce<InstancePath>((parent, key) => ({ parent, key }), root);
  return { ...failure, path };
}

function problemsIn(
  text: string,
  failures: readonly SchemaFailure[],
  { isExact = false }: TeamFileFormat,
  language: Language,
): PayloadProblem[] {
  const { t } = language;
  const root = new RequestedRange();
  const requested = failures.map((failure) => ({ failure, range: requestRange(failure, root) }));
  const { duplicateKeys, lossyNumbers } = scanJson(text, root, maxProblems);
  return [
    ...requested.map(({ failure, range }) => problemOfFailure(failure, range, language)),
    ...duplicateKeys.map(({ name, range }) =>
      problemAt(
        "json",
        t("Duplicate property {name}. JSON parsers disagree on which value wins.", {
          name: quoted(name),
        }),
        range,
      ),
    ),
    ...(isExact ? lossyNumbers : []).map(({ range, readAs }) =>
      problemAt(
        "json",
        t(
          "This number would be read as {value}. Put a payload with such a number in a file of its own.",
          {
            value: readAsText(readAs, language),
          },
        ),
        range,
      ),
    ),
  ];
}

/** The patterns are ours: none of them backtracks. */
function patternTests(): (pattern: string) => PatternTest {
  const known = new Map<string, RegExp>();
  return (pattern) => {
    const expression = known.get(pattern) ?? new RegExp(pattern, "u");
    known.set(pattern, expression);
    return (text) => expression.test(text);
  };
}

function problemAt(
  code: string,
  message: string,
  { start, end }: { readonly start: number; readonly end: number },
): PayloadProblem {
  return { code, message, severity: "error", start, end, pointer: "" };
}
