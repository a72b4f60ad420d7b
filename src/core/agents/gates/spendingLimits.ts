import type { AgentSpending } from "../../invocation/spending";
import type { AgentAgreement, AgentLimits } from "../agentAgreements";

/** The daily limits of agents: cost in hundredths of the currency, and invocations of one skill. */
export interface AgentSpendingLimits {
  readonly centsPerDay: number;
  readonly skillCentsPerDay: number;
  readonly skillCallsPerDay: number;
}

/** Returns the limits of agents for a skill: on their cost, and on the number of their invocations. */
export function spendingLimitsOf(
  { centsPerDay: skillCentsPerDay, callsPerDay: skillCallsPerDay }: AgentAgreement,
  { centsPerDay }: Pick<AgentLimits, "centsPerDay">,
): AgentSpendingLimits {
  return { centsPerDay, skillCentsPerDay, skillCallsPerDay };
}

/** Returns whether one more invocation would exceed a limit. */
export function isOverAgentLimits(limits: AgentSpendingLimits, today: AgentSpending): boolean {
  return isOverCalls(limits, today) || exceededAmounts(limits, today).length > 0;
}

/** Returns whether the skill has reached its limit of invocations. */
export function isOverCalls(
  { skillCallsPerDay }: AgentSpendingLimits,
  today: AgentSpending,
): boolean {
  return today.skillCalls >= skillCallsPerDay;
}

/**
 * A cost limit that one more invocation would exceed, in hundredths: the limit for all skills together, or for the
 * skill.
 */
export interface ExceededAmount {
  readonly of: "all" | "skill";
  readonly limitCents: number;
  readonly spentCents: number;
}

/**
 * Lists the cost limits that one more invocation would exceed. A skill that is listed as free and was billed before
 * counts at its billed price.
 */
export function exceededAmounts(
  { centsPerDay, skillCentsPerDay }: AgentSpendingLimits,
  { nextCents, cents, skillCents }: AgentSpending,
): readonly ExceededAmount[] {
  const amounts: readonly ExceededAmount[] = [
    { of: "all", limitCents: centsPerDay, spentCents: cents },
    { of: "skill", limitCents: skillCentsPerDay, spentCents: skillCents },
  ];
  return amounts.filter(
    ({ limitCents, spentCents }) => nextCents > 0 && spentCents + nextCents > limitCents,
  );
}
