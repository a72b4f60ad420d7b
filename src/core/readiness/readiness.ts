import type { Language } from "../text/language";
import { keyScopeItems } from "./keyScope";
import { ownershipItems } from "./ownership";
import type { ReadinessFacts } from "./readinessFacts";
import type { ReadinessItem } from "./readinessItem";
import { logItems, retryItems } from "./recordItems";
import { fallbackItems } from "./statementItems";

/** What to ask before customers depend on a skill, in the order it is asked. */
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

/** Answers the five questions by what was found out. */
export function readinessOf(facts: ReadinessFacts, language: Language): Readiness {
  const items: Readonly<Record<ReadinessQuestion, readonly ReadinessItem[]>> = {
    ownership: ownershipItems(facts, language),
    "key-scope": keyScopeItems(facts, language),
    "retry-behavior": retryItems(facts, language),
    logs: logItems(facts, language),
    "manual-fallback": fallbackItems(facts, language),
  };
  const { slug, version } = facts.skill.summary;
  return {
    slug,
    version,
    at: facts.now,
    registry: facts.registry,
    questions: questions.map((question) => ({ question, items: items[question] })),
  };
}
