import { checkSyntax, type SyntaxFinding } from "../core/json/checkSyntax";
import { pointersAt } from "../core/json/jsonPointer";
import type { JsonValue } from "../core/json/jsonValue";
import { readAsText } from "../core/json/lossyNumbers";
import { type JsonScan, RequestedRange, scanJson } from "../core/json/scanJson";
import type { TextRange } from "../core/json/token";
import { findSecrets, secretProblems } from "../core/payload/findSecrets";
import {
  type PayloadCheck,
  type PayloadProblem,
  uncheckedPayload,
  withShortMark,
} from "../core/payload/payloadCheck";
import type { SchemaFailure } from "../core/schema/evaluate/evaluation";
import { quoted } from "../core/schema/explain/describeFailure";
import { optionalNulls } from "../core/schema/explain/optionalNulls";
import { problemOfFailure, requestRange } from "../core/schema/explain/problemOfFailure";
import { type Language, localize } from "../core/text/language";
import { revealHidden } from "../core/text/plainText";
import { applySchema, comparesNumbers } from "./applySchema";
import type { CompiledSchema } from "./compileSchema";

/** The maximum number of listed problems. The rest are counted. */
const maxProblems = 200;
/** The maximum number of listed syntax errors. More would be noise. */
const maxSyntaxErrors = 20;

/** Options of a check. */
export interface CheckOptions {
  /**
   * Known secrets, which are marked wherever they occur. If present, even empty, everything that looks like a
   * credential is marked too. If absent, nothing is marked.
   */
  readonly secrets?: readonly string[];
  /** Ranges of secrets that a person allowed to send, which are not marked. */
  readonly allowedSecrets?: readonly TextRange[];
  /** Numbers of the schema that lost digits when it was parsed. No verdict depends on their rounded values. */
  readonly lossyNumbers?: readonly number[];
}

/** Checks one text against one compiled schema: first its JSON syntax, then its value. */
export function checkPayload(
  text: string,
  compiled: CompiledSchema,
  language: Language,
  options: CheckOptions = {},
): PayloadCheck {
  return withPointers(checkText(text, compiled, language, options), text, options);
}

function checkText(
  text: string,
  compiled: CompiledSchema,
  language: Language,
  { secrets, allowedSecrets, lossyNumbers = [] }: CheckOptions,
): PayloadCheck {
  let value: JsonValue;
  let readable = text;
  const textProblems =
    secrets === undefined ? [] : secretProblems(text, secrets, language, allowedSecrets);
  let hidden = 0;
  try {
    value = JSON.parse(text);
  } catch {
    const report = checkSyntax(text, maxSyntaxErrors);
    textProblems.push(...report.findings.map((finding) => syntaxProblem(finding, language)));
    hidden = report.hidden;
    if (report.readable === undefined) return sortedCheck(textProblems, hidden);
    readable = report.readable;
    value = JSON.parse(readable);
  }
  const comparing = compiled.kind === "ready" && comparesNumbers(compiled);
  // The author of the schema wrote another number than the rounded one, so a value that equals the rounded number may
  // differ from the written one.
  const lossyInSchema = new Map(comparing ? lossyNumbers.map((number) => [number, true]) : []);
  const applied = appliedTo(readable, value, compiled, lossyInSchema);
  const lossyInText = applied.scan.lossyValues;
  const { scan, verdict, located } =
    lossyInText.size > 0 && comparing
      ? appliedTo(readable, value, compiled, new Map([...lossyInSchema, ...lossyInText]))
      : applied;
  const { warnings, hidden: hiddenFailures } = verdict.findings;
  const ownProblems = [...textProblems, ...scanProblems(scan, language)];
  const nulls =
    compiled.kind === "ready"
      ? optionalNulls(compiled.schema, value, verdict.findings)
      : new Set<SchemaFailure>();
  const problems = [
    ...ownProblems,
    ...located.map(({ failure, requested }) => ({
      ...withShortMark(problemOfFailure(failure, requested, language), readable),
      ...(nulls.has(failure) && { isOptionalNull: true as const }),
    })),
  ];
  hidden += scan.hidden + hiddenFailures + Math.max(0, warnings.length - maxProblems);
  const check = sortedCheck(problems, hidden);
  const isBroken = ownProblems.some(({ severity }) => severity === "error");
  if (verdict.kind === "decided" || isBroken) return check;
  const { problems: why, ...unchecked } = uncheckedPayload(
    revealHidden(localize(verdict.reason, language)),
    text,
    verdict.pointer,
  );
  const { hiddenProblems } = check;
  return { ...unchecked, hiddenProblems, problems: [...why, ...check.problems] };
}

/** The maximum length of a text for which pointers are found, since that takes a second pass. */
const maxTextForPointers = 1_000_000;

/**
 * Adds the JSON pointer of the value to problems about credentials and lossy numbers. Omits a pointer that would repeat
 * a credential.
 */
function withPointers(
  check: PayloadCheck,
  text: string,
  { secrets = [] }: CheckOptions,
): PayloadCheck {
  const isOfValue = ({ data }: PayloadProblem) =>
    data?.kind === "credential" || data?.kind === "lossyNumber";
  const found = check.problems.filter(isOfValue);
  if (found.length === 0 || text.length > maxTextForPointers) return check;
  const pointers = pointersAt(
    text,
    found.map(({ start }) => start),
  );
  const byProblem = new Map(found.map((problem, index) => [problem, pointers[index] ?? ""]));
  const problems = check.problems.map((problem) => {
    const pointer = byProblem.get(problem) ?? "";
    return pointer === "" || findSecrets(pointer, secrets).length > 0
      ? problem
      : { ...problem, pointer };
  });
  return { ...check, problems };
}

/** Applies a schema to a value. Adds ranges in the text, and problems that a scan of the text finds. */
function appliedTo(
  text: string,
  value: JsonValue,
  compiled: CompiledSchema,
  lossyValues: ReadonlyMap<number, boolean>,
) {
  const root = new RequestedRange();
  const verdict = applySchema(compiled, value, maxProblems, lossyValues);
  const { failures, warnings } = verdict.findings;
  const reported = [...failures, ...warnings.slice(0, maxProblems)];
  const located = reported.map((failure) => ({ failure, requested: requestRange(failure, root) }));
  return { verdict, located, scan: scanJson(text, root, maxProblems, value) };
}

function syntaxProblem(
  { kind, message: words, start, end, repair, lacksBraces }: SyntaxFinding,
  language: Language,
): PayloadProblem {
  const message = localize(words, language);
  const data = {
    kind,
    ...(repair !== undefined && { repair }),
    ...(lacksBraces !== undefined && { lacksBraces }),
  };
  return { code: "json", message, severity: "error", start, end, pointer: "", data };
}

function scanProblems(
  { duplicateKeys, lossyNumbers }: JsonScan,
  language: Language,
): PayloadProblem[] {
  const { t } = language;
  const repeated = duplicateKeys.map(
    ({ name, range, firstStart }): PayloadProblem => ({
      code: "json",
      message: t(
        "Duplicate property {name}. Remove one, since parsers disagree on which value wins.",
        {
          name: quoted(name),
        },
      ),
      severity: "error",
      ...range,
      pointer: "",
      data: { kind: "duplicateKey", name, firstStart },
    }),
  );
  const lossy = lossyNumbers.map(
    ({ range, readAs }): PayloadProblem => ({
      code: "json",
      message: t(
        "This number loses precision in most JSON parsers ({value}). It is sent as written.",
        {
          value: readAsText(readAs, language),
        },
      ),
      severity: "warning",
      ...range,
      pointer: "",
      data: { kind: "lossyNumber", readAs },
    }),
  );
  return [...repeated, ...lossy];
}

/** Sorts problems by position. If not all can be listed, errors come first. */
function sortedCheck(problems: PayloadProblem[], hidden: number): PayloadCheck {
  const byStart = (left: PayloadProblem, right: PayloadProblem) =>
    left.start - right.start || left.end - right.end;
  const different = new Map(problems.map((problem) => [keyOf(problem), problem]));
  const all = [...different.values()].sort(byStart);
  const errors = all.filter(({ severity }) => severity === "error");
  const warnings = all.filter(({ severity }) => severity === "warning");
  const listed = [...errors, ...warnings]
    .slice(0, maxProblems)
    .sort(byStart)
    .map((problem) => ({ ...problem, message: revealHidden(problem.message) }));
  return {
    state: errors.length > 0 ? "invalid" : "valid",
    problems: listed,
    hiddenProblems: hidden + all.length - listed.length,
  };
}

/** Returns a key by which equal problems are merged: one keyword may fail in several places for one reason. */
function keyOf({ code, message, start, end }: PayloadProblem): string {
  return `${start} ${end} ${code} ${message}`;
}
