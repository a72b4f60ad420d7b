import type { Cost } from "../invocation/cost";
import type { InvocationOutcome } from "../invocation/invocation";
import { endFacts } from "../invocation/outcome";
import { statusText } from "../invocation/record/invocationLabels";
import { valueAt } from "../json/jsonPointer";
import type { JsonValue } from "../json/jsonValue";
import { errorsOf, type PayloadCheck, type PayloadProblem } from "../payload/payloadCheck";
import { spellCode } from "../project/gateway/codes";
import type { Language } from "../text/language";
import { firstDifference, shownValue } from "./judgeCase";
import type { SuiteCase } from "./suite";

/** The result of one version of a skill for a case. */
export interface CaseAnswer {
  /** The version's name in messages. */
  readonly version: string;
  /** The check of the payload by its input schema. */
  readonly check: PayloadCheck;
  /** The check of the stored output against its output schema, if nothing was sent. */
  readonly storedCheck?: PayloadCheck | undefined;
  /** The cost; undefined if nothing was sent. */
  readonly cost?: Cost | undefined;
  /** Undefined if nothing was sent. */
  readonly outcome?: InvocationOutcome | undefined;
  /** The description of the outcome, the same for every caller; undefined for a success. */
  readonly outcomeText?: string | undefined;
  /** The output as JSON; undefined without one. */
  readonly output?: JsonValue | undefined;
}

/** Describes in one sentence how the results of two versions differ for a case. Undefined if they agree. */
export function answerDifference(
  { expect }: SuiteCase,
  before: CaseAnswer,
  now: CaseAnswer,
  language: Language,
): string | undefined {
  const versions = { before: before.version, now: now.version };
  return (
    checkDifference(before.check, now.check, versions, language) ??
    endingDifference(before, now, language) ??
    outputDifference(before, now, expect?.ignore ?? [], language) ??
    storedDifference(before.storedCheck, now.storedCheck, versions, language)
  );
}

interface Versions {
  readonly before: string;
  readonly now: string;
}

function checkDifference(
  before: PayloadCheck,
  now: PayloadCheck,
  versions: Versions,
  { t }: Language,
): string | undefined {
  const removed = errorsMissingIn(before, now)[0];
  const added = errorsMissingIn(now, before)[0];
  if (added !== undefined) {
    const { code, message } = added;
    return t("The payload is not valid for {now}, unlike for {before}: {message} ({code})", {
      ...versions,
      code,
      message,
    });
  }
  if (removed === undefined) return undefined;
  const { code, message } = removed;
  return t("{now} no longer rejects the payload as {before} does: {message} ({code})", {
    ...versions,
    code,
    message,
  });
}

function storedDifference(
  before: PayloadCheck | undefined,
  now: PayloadCheck | undefined,
  versions: Versions,
  { t }: Language,
): string | undefined {
  if (before === undefined || now === undefined) return undefined;
  const [added] = errorsMissingIn(now, before);
  if (added === undefined) return undefined;
  const { pointer, message } = added;
  return t("The stored output does not match the output schema of {now} at {pointer}: {message}", {
    ...versions,
    pointer: pointer || "/",
    message,
  });
}

/** Lists the errors of a check that another check lacks, by rule and path. */
function errorsMissingIn(check: PayloadCheck, other: PayloadCheck): readonly PayloadProblem[] {
  const name = ({ code, pointer }: PayloadProblem) => `${code} ${pointer}`;
  const known = new Set(other.problems.map(name));
  return errorsOf(check).filter((problem) => !known.has(name(problem)));
}

function endingDifference(
  before: CaseAnswer,
  now: CaseAnswer,
  language: Language,
): string | undefined {
  if (before.outcome === undefined || now.outcome === undefined) return undefined;
  const [one, other] = [before.outcome, now.outcome].map((outcome) => endingOf(outcome, language));
  if (one === other) return undefined;
  return language.t("{now} ended with “{actual}”, {before} with “{earlier}”.", {
    before: before.version,
    now: now.version,
    actual: other ?? "",
    earlier: one ?? "",
  });
}

function endingOf(outcome: InvocationOutcome, language: Language): string {
  const code = "code" in outcome ? (outcome.code ?? "") : "";
  return code === "" ? statusText(endFacts(outcome).status, language) : code;
}

function outputDifference(
  before: CaseAnswer,
  now: CaseAnswer,
  ignore: readonly string[],
  { t }: Language,
): string | undefined {
  if (before.output === undefined || now.output === undefined) return undefined;
  const pointer = firstDifference(before.output, now.output, ignore);
  if (pointer === undefined) return undefined;
  const [earlier, actual] = [before.output, now.output].map((output) => {
    const value = valueAt(output, pointer);
    return value === undefined ? t("missing") : shownValue(value);
  });
  return t(
    "{now} returns a different output than {before}, first at {pointer}: {actual} instead of {earlier}.",
    {
      before: before.version,
      now: now.version,
      pointer: pointer || "/",
      actual: actual ?? "",
      earlier: earlier ?? "",
    },
  );
}

/**
 * Returns whether an outcome is no evidence about a case: the project has another version, or its rate limit is
 * reached.
 */
export function isNoEvidence(outcome: InvocationOutcome): boolean {
  if (outcome.kind !== "refused") return false;
  const { reason, code = "" } = outcome;
  return reason === "rateLimit" || spellCode(code) === "skill_not_installed";
}
