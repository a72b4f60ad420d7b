import type { Cost } from "../invocation/cost";
import type { InvocationOutcome } from "../invocation/invocation";
import { endFacts, isStopped, outcomeOf } from "../invocation/outcome";
import { statusText } from "../invocation/record/invocationLabels";
import { compareShallow, hasExactNumber } from "../json/exactJson";
import { childAt, pointerStep, pointerSteps, valueAt, withoutValues } from "../json/jsonPointer";
import { isJsonObject, type JsonValue, jsonEqual } from "../json/jsonValue";
import { shownJson } from "../json/printJson";
import { errorsOf, type PayloadCheck } from "../payload/payloadCheck";
import { spellCode } from "../project/gateway/codes";
import type { Language } from "../text/language";
import { moneyText } from "../text/money";
import type { Expectation, SuiteCase } from "./suite";

/** The JSON pointer of the expected output in a case. */
export const snapshotPointer = "/expect/snapshot";

/** One failed expectation of a case. */
export interface CaseProblem {
  readonly message: string;
  /** Its JSON pointer in the case; left out for the whole case. */
  readonly at?: string;
  /** The two differing values, if there are any. */
  readonly expected?: JsonValue;
  readonly actual?: JsonValue;
}

/** Returns whether a case only lacks its stored output. Each front end says how it stores one. */
export function lacksOutput({ at, expected }: CaseProblem): boolean {
  return at === snapshotPointer && expected === undefined;
}

/** The change that makes an output the expected one: a new value in the suite, or a new stored output. */
export type AcceptedChange = { readonly value: JsonValue } & (
  | { readonly in: "suite"; readonly at: string }
  | { readonly in: "snapshot" }
);

/** Finds the change that makes an output the expected one. Undefined if changing a value does not help. */
export function acceptedChange(
  { at, actual }: CaseProblem,
  { output }: { readonly output?: JsonValue | undefined },
): AcceptedChange | undefined {
  if (at === snapshotPointer) {
    return output === undefined ? undefined : { in: "snapshot", value: output };
  }
  const isValue = at?.startsWith("/expect/output/") === true;
  // Writing the suite would round a number with more digits than JavaScript can represent.
  return isValue && actual !== undefined && !hasExactNumber(actual)
    ? { in: "suite", at, value: actual }
    : undefined;
}

/** Checks the payload of a case. Lists failed expectations; empty for none. */
export function judgePayload(
  { payloadFile, expect }: SuiteCase,
  check: PayloadCheck,
  { t }: Language,
): readonly CaseProblem[] {
  const errors = errorsOf(check);
  const expected = expect?.invalid;
  if (expected === undefined) {
    const [first] = errors;
    if (first === undefined) return [];
    const { code, message } = first;
    const at = payloadFile === undefined ? "/payload" : "/payloadFile";
    return [{ message: t("The payload is not valid: {message} ({code})", { message, code }), at }];
  }
  return expected
    .filter((wanted) => !errors.some(({ code }) => code === wanted))
    .map((code) => ({
      message: t("Expected the payload to fail “{keyword}”; it did not.", { keyword: code }),
      at: "/expect/invalid",
    }));
}

/** The facts about a case besides its outcome. */
export interface CaseFacts {
  /** The description of the outcome, the same for every caller; undefined for a success. */
  readonly outcomeText?: string | undefined;
  /** The check of the output against its schema; undefined without an output or a schema. */
  readonly outputCheck?: PayloadCheck | undefined;
  /** The output as JSON; undefined without one. */
  readonly output?: JsonValue | undefined;
  /** The stored output of the case; undefined without one. */
  readonly snapshot?: JsonValue | undefined;
  /** Its cost; left out if unknown. */
  readonly cost?: Cost | undefined;
}

/** Checks the outcome of a case. Lists failed expectations; empty for none. */
export function judgeOutcome(
  { expect = {} }: SuiteCase,
  outcome: InvocationOutcome,
  facts: CaseFacts,
  language: Language,
): readonly CaseProblem[] {
  const { t } = language;
  const ending = endingProblem(expect, outcome, language);
  // The reason for the failure helps more than the mismatch.
  if (ending !== undefined)
    return [{ message: [ending, facts.outcomeText ?? ""].join(" ").trim() }];
  const { maxMilliseconds } = expect;
  const { durationMs = 0 } = outcome as { readonly durationMs?: number };
  return [
    ...(maxMilliseconds !== undefined && durationMs > maxMilliseconds
      ? [
          {
            message: t("It took {actual} ms, more than {most}.", {
              actual: durationMs,
              most: maxMilliseconds,
            }),
            at: "/expect/maxMilliseconds",
          },
        ]
      : []),
    ...costProblems(expect, facts, language),
    ...(outcome.kind === "success" ? outputProblems(expect, facts, language) : []),
  ];
}

function costProblems(
  { maxCents }: Expectation,
  { cost = { kind: "unknown" } }: CaseFacts,
  language: Language,
): readonly CaseProblem[] {
  if (maxCents === undefined || cost.kind === "none") return [];
  const { t } = language;
  const at = "/expect/maxCents";
  if (!("cents" in cost)) {
    const most = moneyText(maxCents, undefined, language);
    return [{ message: t("It is not known what it cost. Expected at most {most}.", { most }), at }];
  }
  if (cost.cents <= maxCents) return [];
  const currency = cost.currency || undefined;
  const amounts = {
    actual: moneyText(cost.cents, currency, language),
    most: moneyText(maxCents, currency, language),
  };
  const message =
    cost.kind === "expected"
      ? t(
          "The registry returned no cost. The expected cost of {actual} is more than {most}.",
          amounts,
        )
      : t("It cost {actual}, more than {most}.", amounts);
  return [{ message, at }];
}

function endingProblem(
  { refusal, failure }: Expectation,
  outcome: InvocationOutcome,
  language: Language,
): string | undefined {
  const { t } = language;
  const facts = endFacts(outcome);
  const { status } = facts;
  const code = "code" in outcome ? (outcome.code ?? "") : "";
  const actual = code === "" ? statusText(status, language) : code;
  if (refusal !== undefined) {
    const isAsExpected = outcome.kind === "refused" && spellCode(code) === spellCode(refusal);
    return isAsExpected
      ? undefined
      : t("Expected the error “{code}”; it ended with “{actual}”.", { code: refusal, actual });
  }
  if (failure === true) {
    return outcome.kind === "skillError" && !isStopped(outcome)
      ? undefined
      : t("Expected the skill to fail; it ended with “{actual}”.", { actual });
  }
  if (outcomeOf(facts).isSuccess) return undefined;
  return status === "not executed"
    ? t("Expected success; it was accepted but not executed.")
    : t("Expected success; it ended with “{actual}”.", { actual });
}

function outputProblems(
  { output: expectedValues = {}, snapshot: hasSnapshot, ignore = [] }: Expectation,
  { output, outputCheck, snapshot }: CaseFacts,
  { t }: Language,
): readonly CaseProblem[] {
  const ofSchema = schemaProblems(outputCheck, (texts) => ({
    message: t("The output does not match its schema at {pointer}: {message}", texts),
  }));
  const values = valueProblems(expectedValues, output, t, (texts) =>
    t("Expected {value} at {pointer}; it is {actual}.", texts),
  );
  return [
    ...ofSchema,
    ...values,
    ...(hasSnapshot ? snapshotProblems(output, snapshot, ignore, t) : []),
  ];
}

/** Lists the errors of an output's check as problems of its case. */
export function schemaProblems(
  check: PayloadCheck | undefined,
  problemOf: (texts: Readonly<Record<"pointer" | "message", string>>) => CaseProblem,
): readonly CaseProblem[] {
  const errors = check === undefined ? [] : errorsOf(check);
  return errors.map(({ pointer, message }) => problemOf({ pointer: pointer || "/", message }));
}

/**
 * Checks a case by its stored output, without sending anything: the output must exist if it is expected, and have the
 * expected values. Lists failed expectations; empty for none.
 */
export function judgeStored(
  { expect = {} }: SuiteCase,
  snapshot: JsonValue | undefined,
  { t }: Language,
): readonly CaseProblem[] {
  if (snapshot === undefined) return expect.snapshot ? [notStored(t)] : [];
  return valueProblems(expect.output ?? {}, snapshot, t, (texts) =>
    t("Expected {value} at {pointer}; the stored output has {actual}.", texts),
  );
}

function valueProblems(
  expectedValues: NonNullable<Expectation["output"]>,
  output: JsonValue | undefined,
  t: Language["t"],
  message: (texts: Readonly<Record<"pointer" | "value" | "actual", string>>) => string,
): readonly CaseProblem[] {
  return Object.entries(expectedValues).flatMap(([pointer, value]) => {
    const actual = valueAt(output, pointer);
    if (actual !== undefined && jsonEqual(actual, value)) return [];
    const texts = {
      pointer: pointer || "/",
      value: shownValue(value),
      actual: actual === undefined ? t("missing") : shownValue(actual),
    };
    return [
      {
        message: message(texts),
        at: `/expect/output/${pointerStep(pointer)}`,
        expected: value,
        ...(actual !== undefined && { actual }),
      },
    ];
  });
}

function notStored(t: Language["t"]): CaseProblem {
  return { message: t("This case has no stored output yet."), at: snapshotPointer };
}

function snapshotProblems(
  output: JsonValue | undefined,
  snapshot: JsonValue | undefined,
  ignore: readonly string[],
  t: Language["t"],
): readonly CaseProblem[] {
  if (snapshot === undefined) return [notStored(t)];
  const actual = output ?? null;
  const pointer = firstDifference(snapshot, actual, ignore);
  if (pointer === undefined) return [];
  const message = t("The output differs from the stored one, first at {pointer}.", {
    pointer: pointer || "/",
  });
  // Remove ignored values from both sides of the diff.
  const [stored, returned] = [snapshot, actual].map((value) => withoutPointers(value, ignore));
  const at = snapshotPointer;
  return [{ message, at, expected: stored ?? null, actual: returned ?? null }];
}

/**
 * Finds the first path, as a JSON pointer, in which two outputs differ, ignoring some pointers. Undefined if they are
 * equal.
 */
export function firstDifference(
  before: JsonValue,
  now: JsonValue,
  ignore: readonly string[],
): string | undefined {
  return differenceIn(withoutPointers(before, ignore), withoutPointers(now, ignore));
}

/** Copies a value without the values at some pointers. An item of a list becomes null, so that indexes stay. */
function withoutPointers(value: JsonValue, pointers: readonly string[]): JsonValue {
  return withoutValues(value, pointers.map(pointerSteps), [null]);
}

function differenceIn(before: JsonValue, now: JsonValue): string | undefined {
  const compared = compareShallow(before, now);
  if (compared !== "inside") return compared === "equal" ? undefined : "";
  for (const name of namesIn(before, now)) {
    const [one, other] = [childAt(before, name), childAt(now, name)];
    const step = `/${pointerStep(name)}`;
    if (one === undefined || other === undefined) return step;
    const below = differenceIn(one, other);
    if (below !== undefined) return step + below;
  }
  return undefined;
}

/** Yields the names in either of two containers one by one, since the first few of a large list are usually enough. */
function* namesIn(before: JsonValue, now: JsonValue): Generator<string> {
  if (Array.isArray(before) && Array.isArray(now)) {
    for (let at = 0; at < Math.max(before.length, now.length); at += 1) yield String(at);
  } else if (isJsonObject(before) && isJsonObject(now)) {
    yield* Object.keys(before);
    for (const name of Object.keys(now)) if (!Object.hasOwn(before, name)) yield name;
  }
}

/** Writes a value for a message of a test. */
export function shownValue(value: JsonValue): string {
  return shownJson(value, 80);
}
