import { endFacts, outcomeOf } from "../invocation/outcome";
import type { InvocationRecord } from "../invocation/record/invocationRecord";
import type { JsonValue } from "../json/jsonValue";
import type { PayloadCheck } from "../payload/payloadCheck";
import type { Language } from "../text/language";
import { answerDifference, type CaseAnswer, isNoEvidence } from "./caseAnswers";
import type { Verdict } from "./caseReport";
import {
  type CaseProblem,
  judgeOutcome,
  judgePayload,
  judgeStored,
  schemaProblems,
  snapshotPointer,
} from "./judgeCase";
import type { SuiteCase } from "./suite";

/** Options of a verdict. */
export interface VerdictOptions {
  /** Whether an unchecked result counts as good. */
  readonly allowsUnchecked: boolean;
  /** Whether a new output replaces the stored one. */
  readonly isUpdate: boolean;
  readonly language: Language;
}

/** The answer of a skill for a case, or the case's verdict if there is no answer to judge. */
export type AnswerOrVerdict = { readonly record?: InvocationRecord } & (
  | Verdict
  | ({ readonly kind: "answered"; readonly outputCheck?: PayloadCheck | undefined } & CaseAnswer)
);

type Answered = Extract<AnswerOrVerdict, { kind: "answered" }>;

/** Returns the verdict of a case that could not be decided, with the reason. */
export function unknownVerdict(message: string): Verdict {
  return { kind: "unknown", problems: [{ message }] };
}

/** Returns the verdict of a judged case with its failed expectations; empty for none. */
export function judgedAs(problems: readonly CaseProblem[]): Verdict {
  return { kind: "judged", problems };
}

/** Judges the answer of a case. With `isUpdate`, adds its output to `snapshots` if the case expects a stored output. */
export function caseVerdict(
  suiteCase: SuiteCase,
  answer: AnswerOrVerdict,
  snapshots: Map<string, JsonValue>,
  options: VerdictOptions,
): Verdict {
  if (answer.kind !== "answered") return answer;
  const { isUpdate, language } = options;
  const { check, storedCheck, outcome, outcomeText, output, outputCheck, cost } = answer;
  const problems = judgePayload(suiteCase, check, language);
  if (suiteCase.expect?.invalid !== undefined) {
    // The unchecked part may have the expected errors.
    return problems.length === 0
      ? judgedAs([])
      : (uncheckedIn(answer, options) ?? judgedAs(problems));
  }
  if (problems.length > 0) return judgedAs(problems);
  if (outcome === undefined) {
    const stored = judgeStored(suiteCase, snapshots.get(suiteCase.name), language);
    return untested(
      verdictOf([...storedProblems(storedCheck, language), ...stored], answer, options),
    );
  }
  // A registry may also return an output for an invocation that it did not run.
  const isRun = outcomeOf(endFacts(outcome)).isSuccess;
  if (isUpdate && suiteCase.expect?.snapshot && isRun && output !== undefined)
    snapshots.set(suiteCase.name, output);
  const facts = { outcomeText, output, outputCheck, snapshot: snapshots.get(suiteCase.name), cost };
  const verdict = verdictOf(judgeOutcome(suiteCase, outcome, facts, language), answer, options);
  return isRun ? { ...verdict, output } : verdict;
}

/**
 * Returns the verdict for a case that was not sent. Without problems it is `untested`, since the skill could still
 * fail.
 */
function untested(verdict: Verdict): Verdict {
  return verdict.problems.length === 0 ? { ...verdict, kind: "untested" } : verdict;
}

/** Returns the verdict of a case with these problems. Without any, an unchecked part may still have some. */
function verdictOf(
  problems: readonly CaseProblem[],
  answer: Answered,
  options: VerdictOptions,
): Verdict {
  if (problems.length > 0) return judgedAs(problems);
  return uncheckedIn(answer, options) ?? judgedAs([]);
}

/** Returns the verdict `unknown` for an answer with an unchecked part. Undefined without one, or if it is allowed. */
export function uncheckedIn(
  { check, outputCheck, storedCheck }: Answered,
  { allowsUnchecked, language: { t } }: VerdictOptions,
): Verdict | undefined {
  if (allowsUnchecked) return undefined;
  if (check.state === "unchecked") {
    return unknownVerdict(check.reason ?? t("The payload could not be checked."));
  }
  const output = [outputCheck, storedCheck].find((item) => item?.state === "unchecked");
  if (output === undefined) return undefined;
  return unknownVerdict(`${t("The output could not be checked.")} ${output.reason ?? ""}`.trim());
}

/** Lists the errors of a stored output by the skill's current output schema. */
function storedProblems(check: PayloadCheck | undefined, { t }: Language): readonly CaseProblem[] {
  return schemaProblems(check, (texts) => ({
    message: t("The stored output does not match its schema at {pointer}: {message}", texts),
    at: snapshotPointer,
  }));
}

/** Judges whether the answers `before` and `now`, of two versions, agree about a case. */
export function comparisonVerdict(
  suiteCase: SuiteCase,
  before: AnswerOrVerdict,
  now: AnswerOrVerdict,
  options: VerdictOptions,
): Verdict {
  const { language } = options;
  if (before.kind !== "answered") {
    return unknownVerdict(
      language.t("The suite's own version returned no result to compare with."),
    );
  }
  if (now.kind !== "answered") return now;
  const unanswered = [before, now].find(({ outcome }) => outcome && isNoEvidence(outcome));
  if (unanswered !== undefined) return unknownVerdict(unanswered.outcomeText ?? unanswered.version);
  const difference = answerDifference(suiteCase, before, now, language);
  if (difference !== undefined) return judgedAs([{ message: difference }]);
  const verdict = uncheckedIn(before, options) ?? uncheckedIn(now, options) ?? judgedAs([]);
  const isWhole = suiteCase.expect?.invalid !== undefined || now.outcome !== undefined;
  return isWhole ? verdict : untested(verdict);
}
