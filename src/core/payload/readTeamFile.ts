import { checkSyntax } from "../json/checkSyntax";
import { isDeeperThan, isJsonObject, type JsonValue } from "../json/jsonValue";
import { readAsText } from "../json/lossyNumbers";
import { RequestedRange, scanJsonChunked } from "../json/scanJson";
import { evaluateSchema } from "../schema/evaluate/evaluateSchema";
import {
  type InstancePath,
  type PatternTest,
  type SchemaFailure,
  stepsOf,
} from "../schema/evaluate/evaluation";
import { quoted } from "../schema/explain/describeFailure";
import { problemOfFailure, requestRange } from "../schema/explain/problemOfFailure";
import { readSchema } from "../schema/read/readSchema";
import { type Chunked, runSync } from "../text/chunked";
import { type Language, localize } from "../text/language";
import { type PayloadProblem, requestedRange } from "./payloadCheck";

/**
 * A parsed team file (policy, reviews, a contract, a suite), or its problems with ranges. A repository may come from
 * anywhere, so no part of an invalid file is used.
 */
export type TeamFileReading<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problems: readonly PayloadProblem[] };

/** The JSON Schema of a file, which is ours, and the file's maximum length in characters. */
interface TeamFileFormat {
  readonly schema: JsonValue;
  readonly maxLength: number;
  /** Whether its values are sent or compared. If so, a number that loses digits is an error. */
  readonly isExact?: boolean;
  /** The member whose items are checked in chunks. It may have thousands. */
  readonly list?: { readonly name: string; readonly maxItems: number };
}

/** The maximum number of problems reported for one file. */
const maxProblems = 50;
/** The maximum depth, as for a registry's response. */
const maxDepth = 1000;
/** The number of list items per chunk. A chunk takes a few milliseconds. */
const itemsAtOnce = 100;

/**
 * Reads a file by its schema, with the messages and ranges of the editor. `extraChecks` makes the checks that no
 * schema can express, and returns a JSON pointer and a message for each problem.
 */
export function readTeamFile<Value>(
  text: string,
  format: TeamFileFormat,
  language: Language,
  extraChecks: (value: Value) => readonly PointedProblem[] = () => [],
): TeamFileReading<Value> {
  return runSync(
    // biome-ignore lint/correctness/useYield: The extra checks of a short file need no pause.
    readTeamFileChunked<Value>(text, format, language, function* (value) {
      return extraChecks(value);
    }),
  );
}

/** Reads a file as `readTeamFile` does, but yields, so that a long file can be read in chunks. */
export function* readTeamFileChunked<Value>(
  text: string,
  format: TeamFileFormat,
  language: Language,
  extraChecks: (value: Value) => Chunked<readonly PointedProblem[]>,
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
  // Rules that no schema can express need a value of the type.
  const pointed = failures.length > 0 ? [] : yield* extraChecks(value as Value);
  yield;
  const problems = yield* problemsIn({ text, value }, failures, pointed, format, language);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: value as Value };
}

/** A problem at a JSON pointer, with its message. */
export interface PointedProblem {
  readonly pointer: string;
  readonly message: string;
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

/**
 * Yields a value in parts. If the value contains the list, each part is the value with one chunk of the list; else the
 * only part is the value itself. `from` is the index of the first item.
 */
function* partsOf(value: unknown, list: TeamFileFormat["list"]): Iterable<ValuePart> {
  const items = list !== undefined && isJsonObject(value) ? value[list.name] : undefined;
  // Do not split a list with too many items: only the whole list violates the schema's maximum.
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

/**
 * Finds the ranges of all problems by one scan. Problems of the extra checks are listed only if there are no others.
 */
function* problemsIn(
  { text, value }: { readonly text: string; readonly value: JsonValue },
  failures: readonly SchemaFailure[],
  pointed: readonly PointedProblem[],
  { isExact = false }: TeamFileFormat,
  language: Language,
): Chunked<PayloadProblem[]> {
  const { t } = language;
  const root = new RequestedRange();
  const requested = failures.map((failure) => ({ failure, range: requestRange(failure, root) }));
  const named = pointed
    .slice(0, maxProblems)
    .map((problem) => ({ problem, range: requestedRange(problem.pointer, value, root) }));
  const { duplicateKeys, lossyNumbers } = yield* scanJsonChunked(text, root, maxProblems);
  const problems = [
    ...requested.map(({ failure, range }) => problemOfFailure(failure, range, language)),
    ...duplicateKeys.map(({ name, range }) =>
      problemAt(
        "json",
        t("Duplicate property {name}. Remove one, since parsers disagree on which value wins.", {
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
  if (problems.length > 0) return problems;
  return named.map(({ problem: { pointer, message }, range: { key, value } }) => ({
    ...problemAt("review", message, {
      start: key?.start ?? value?.start ?? 0,
      end: value?.end ?? 0,
    }),
    pointer,
  }));
}

/** Creates pattern tests that use the native engine. It is safe because our schemas have no pattern that backtracks. */
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
