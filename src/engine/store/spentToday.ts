import type { Amount } from "../../core/invocation/cost";
import {
  type AgentSpending,
  agentSpending,
  billedTexts,
  dailyLimitQuestion,
  expectedCost,
  type PricedInvocation,
} from "../../core/invocation/spending";
import type { Language } from "../../core/text/language";
import type { SpentToday, Store } from "./store";

/** What was spent today, before an invocation. */
export interface SpendingToday {
  /** What the invocation is expected to cost; undefined where that is not known. */
  readonly expected: Amount | undefined;
  /** Returns the reason for a question where the invocation would pass a limit in cents; 0 is no limit. */
  readonly question: (limitCents: number, language: Language) => string | undefined;
  /** By agents. */
  readonly byAgents: AgentSpending;
  /** False where a part of it was lost. */
  readonly isWhole: boolean;
}

/** Reads what was spent as an invocation has to know it. Rejects with a `StoreProblem`. */
export async function spentBefore(store: Store, call: PricedInvocation): Promise<SpendingToday> {
  return spendingToday(await store.spent(call), call);
}

/** Judges what was spent for an invocation. */
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

/** Reads what agents spent today, on a skill of a registry and in all. Rejects with a `StoreProblem`. */
export async function spentByAgents(
  store: Store,
): Promise<(registry: string, skillSlug: string) => AgentSpending> {
  const { day, spending } = await store.spent();
  return (registry, skillSlug) =>
    agentSpending(spending, day, { registry, skillSlug, price: { kind: "free" } });
}

/** Describes what was billed today, for each registry and currency. Rejects with a `StoreProblem`. */
export async function costsToday(
  store: Store,
  language: Language,
): Promise<ReturnType<typeof billedTexts>> {
  const { day, spending } = await store.spent();
  return billedTexts(spending, day, language);
}
