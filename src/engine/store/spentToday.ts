import type { Amount } from "../../core/invocation/cost";
import {
  type AgentSpending,
  agentSpending,
  billedTexts,
  type DailyLimit,
  dailyLimitQuestion,
  expectedCost,
  type PricedInvocation,
} from "../../core/invocation/spending";
import type { Language } from "../../core/text/language";
import type { SpentToday, Store } from "./store";

/** Today's spending before an invocation. */
export interface SpendingToday {
  /** The expected cost of the invocation; undefined if unknown. */
  readonly expected: Amount | undefined;
  /**
   * Returns the question for the user if the invocation would exceed the limit; otherwise undefined.
   */
  readonly question: (limitCents: DailyLimit, language: Language) => string | undefined;
  readonly byAgents: AgentSpending;
  /** False if part of the record was lost. */
  readonly isWhole: boolean;
}

/** Reads today's spending for an invocation. Rejects with a `StoreProblem`. */
export async function spentBefore(store: Store, call: PricedInvocation): Promise<SpendingToday> {
  return spendingToday(await store.spent(call), call);
}

/** Evaluates today's spending for an invocation. */
export function spendingToday(
  { day, spending, isWhole }: SpentToday,
  call: PricedInvocation,
): SpendingToday {
  return {
    expected: expectedCost(spending, call),
    question: (limitCents, language) =>
      dailyLimitQuestion(spending, call, limitCents, day, language),
    byAgents: agentSpending(spending, day, call),
    isWhole,
  };
}

/**
 * Reads what agents spent today. Resolves to a function that returns it for a skill and in all. Rejects with a
 * `StoreProblem`.
 */
export async function spentByAgents(
  store: Store,
): Promise<(registry: string, skillSlug: string) => AgentSpending> {
  const { day, spending } = await store.spent();
  return (registry, skillSlug) =>
    agentSpending(spending, day, { registry, skillSlug, price: { kind: "free" } });
}

/** Describes today's billed amounts, for each registry and currency. Rejects with a `StoreProblem`. */
export async function costsToday(
  store: Store,
  language: Language,
): Promise<ReturnType<typeof billedTexts>> {
  const { day, spending } = await store.spent();
  return billedTexts(spending, day, language);
}
