import { type Language, localize } from "../text/language";
import { judgeKey, judgeKeyOccurrences } from "./judgeKey";
import { judgePolicy, judgeRecordAgreement } from "./judgeProject";
import { judgePublisher, judgeSupport } from "./judgePublisher";
import { judgeRepeats } from "./judgeRecord";
import { judgeReview, judgeRunbookTrial, judgeStatement } from "./judgeTeam";
import {
  type Fact,
  type Judge,
  known,
  type ReadinessFacts,
  type Verdict,
  withoutEvidence,
} from "./readinessFacts";

/** The questions to ask before customers depend on a skill, in order. */
const questions = ["ownership", "key-scope", "retry-behavior", "logs", "manual-fallback"] as const;

/** One of the five questions. */
export type ReadinessQuestion = (typeof questions)[number];

/** The answers for one skill, one for each question. */
export interface Readiness {
  readonly slug: string;
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly registry: string;
  readonly answers: readonly ({ readonly question: ReadinessQuestion } & Verdict)[];
}

/** Makes one check of a question. Undefined if it found no fault and proves nothing. */
type Check = (facts: ReadinessFacts, language: Language) => Verdict | undefined;

/** Creates a check. Without its fact, the verdict is unknown. */
function check<Value>(factOf: (facts: ReadinessFacts) => Fact<Value>, judge: Judge<Value>): Check {
  return (facts, language) => {
    const fact = factOf(facts);
    if (fact.isKnown) return judge(fact.value, { at: fact.at, facts, language });
    const { why, addition } = fact;
    const verdict = withoutEvidence(localize(why, language));
    return addition === undefined ? verdict : { ...verdict, addition };
  };
}

const skillOf = ({ skill, now }: ReadinessFacts) => known(skill, now);
const folderOf = ({ folder }: ReadinessFacts) => folder;
const projectOf = ({ project }: ReadinessFacts) => project;

/** The checks of each question. The last one gives the sentence of a yes. */
const checks: Readonly<Record<ReadinessQuestion, readonly Check[]>> = {
  ownership: [
    check(skillOf, judgePublisher),
    check(skillOf, judgeSupport),
    check(folderOf, judgeReview),
    check(folderOf, judgeStatement("owner")),
  ],
  "key-scope": [
    check(({ keyOccurrences }) => keyOccurrences, judgeKeyOccurrences),
    check(({ key }) => key, judgeKey),
    check(projectOf, judgePolicy),
  ],
  "retry-behavior": [
    check(({ record }) => record, judgeRepeats),
    check(folderOf, judgeStatement("retry-rule")),
  ],
  logs: [check(projectOf, judgeRecordAgreement), check(folderOf, judgeStatement("logs"))],
  "manual-fallback": [
    check(folderOf, judgeStatement("runbook")),
    check(folderOf, judgeRunbookTrial),
  ],
};

/**
 * Answers the five questions from the facts. A fault decides before what is not known, and that before a yes, which has
 * the evidence of all checks.
 */
export function readinessOf(facts: ReadinessFacts, language: Language): Readiness {
  const { slug, version } = facts.skill.summary;
  const answers = questions.map((question) => {
    const verdicts = checks[question].flatMap((judge) => judge(facts, language) ?? []);
    const deciding =
      verdicts.find(({ state }) => state === "no") ??
      verdicts.find(({ state }) => state === "notKnown");
    const message = verdicts.at(-1)?.message ?? "";
    const evidence = verdicts.flatMap((verdict) => verdict.evidence);
    return { question, ...(deciding ?? { state: "yes" as const, message, evidence }) };
  });
  return { slug, version, at: facts.now, registry: facts.registry, answers };
}
