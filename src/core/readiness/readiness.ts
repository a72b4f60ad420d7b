import { type Language, localize } from "../text/language";
import { judgeKey, judgeKeyOccurrences } from "./judgeKey";
import {
  judgeBudget,
  judgeInvocability,
  judgePolicy,
  judgeRecordAgreement,
  judgeRegistryLog,
} from "./judgeProject";
import { judgePublisher, judgeSupport } from "./judgePublisher";
import { judgeRepeats, judgeRetention } from "./judgeRecord";
import { judgeReview, judgeRunbookTrial, judgeStatement } from "./judgeTeam";
import {
  type Fact,
  type ItemVerdict,
  type Judge,
  known,
  type ReadinessFacts,
  type ReadinessItem,
  withoutEvidence,
} from "./readinessFacts";

/** The questions to ask before customers depend on a skill, in order. */
const questions = ["ownership", "key-scope", "retry-behavior", "logs", "manual-fallback"] as const;

/** One of the five questions. */
export type ReadinessQuestion = (typeof questions)[number];

/** The answers for one skill. */
export interface Readiness {
  readonly slug: string;
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly registry: string;
  readonly questions: readonly {
    readonly question: ReadinessQuestion;
    readonly items: readonly ReadinessItem[];
  }[];
}

/** One check and its fact. Without the fact, the answer is unknown. */
interface ItemRow {
  readonly id: string;
  readonly judge: (facts: ReadinessFacts, language: Language) => ItemVerdict;
}

/** Creates a row: a stable code, unique over all questions, its fact, and its judge. */
function row<Value>(
  id: string,
  factOf: (facts: ReadinessFacts) => Fact<Value>,
  judge: Judge<Value>,
): ItemRow {
  return {
    id,
    judge: (facts, language) => {
      const fact = factOf(facts);
      if (fact.isKnown) return judge(fact.value, { at: fact.at, facts, language });
      const { why, addition } = fact;
      const verdict = withoutEvidence(localize(why, language));
      return { ...verdict, lacks: why, ...(addition !== undefined && { addition }) };
    },
  };
}

const skillOf = ({ skill, now }: ReadinessFacts) => known(skill, now);
const folderOf = ({ folder }: ReadinessFacts) => folder;
const projectOf = ({ project }: ReadinessFacts) => project;

/** All checks, in order. */
const rows: Readonly<Record<ReadinessQuestion, readonly ItemRow[]>> = {
  ownership: [
    row("publisher-active", skillOf, judgePublisher),
    row("support-address", skillOf, judgeSupport),
    row("reviewed", folderOf, judgeReview),
    row("owner-named", folderOf, judgeStatement("owner")),
  ],
  "key-scope": [
    row("invocable", projectOf, judgeInvocability),
    row("policy-no-wider", projectOf, judgePolicy),
    row("key-of-project", ({ key }) => key, judgeKey),
    row("key-in-no-file", ({ keyOccurrences }) => keyOccurrences, judgeKeyOccurrences),
  ],
  "retry-behavior": [
    row("no-repeat-after-unknown", ({ record }) => record, judgeRepeats),
    row("budget-limited", projectOf, judgeBudget),
    row("retry-rule", folderOf, judgeStatement("retry-rule")),
  ],
  logs: [
    row("record-kept", ({ retention }) => retention, judgeRetention),
    row("registry-log", projectOf, judgeRegistryLog),
    row("record-agrees", projectOf, judgeRecordAgreement),
    row("production-logs", folderOf, judgeStatement("logs")),
  ],
  "manual-fallback": [
    row("runbook-named", folderOf, judgeStatement("runbook")),
    row("runbook-tried", folderOf, judgeRunbookTrial),
  ],
};

/** Evaluates the five questions from the facts. */
export function readinessOf(facts: ReadinessFacts, language: Language): Readiness {
  const { slug, version } = facts.skill.summary;
  return {
    slug,
    version,
    at: facts.now,
    registry: facts.registry,
    questions: questions.map((question) => ({
      question,
      items: rows[question].map(({ id, judge }) => ({ id, ...judge(facts, language) })),
    })),
  };
}
