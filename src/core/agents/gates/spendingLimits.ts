import type { AgentSpending } from "../../invocation/spending";
import type { AgentAgreement, AgentLimits } from "../agentAgreements";

/** The daily limits of agents: cost in hundredths of the currency, and invocations of one skill. */
export interface AgentSpendingLimits {
  readonly centsPerDay: number;
  readonly skillCentsPerDay: number;
  readonly skillCallsPerDay: number;
}

/** Returns the limits of agents for a skill: their spending, and their number of invocations. */
export function spendingLimitsOf(
  { centsPerDay: skillCentsPerDay, callsPerDay: skillCallsPerDay }: AgentAgreement,
  { centsPerDay }: Pick<AgentLimits, "centsPerDay">,
): AgentSpendingLimits {
  return { centsPerDay, skillCentsPerDay, skillCallsPerDay };
}

/** Returns whether one more invocation would exceed a limit. */
export function isOverAgentLimits(limits: AgentSpendingLimits, today: AgentSpending): boolean {
  return isOverCalls(limits, today) || isOverCents(limits, today);
}

export function isOverCalls(
  { skillCallsPerDay }: AgentSpendingLimits,
  today: AgentSpending,
): boolean {
  return today.skillCalls >= skillCallsPerDay;
}

/** Compares costs. A skill that is listed as free and was billed before counts at its billed price. */
export function isOverCents(
  { centsPerDay, skillCentsPerDay }: AgentSpendingLimits,
  { nextCents, cents, skillCents }: AgentSpending,
): boolean {
  const isOver = cents + nextCents > centsPerDay || skillCents + nextCents > skillCentsPerDay;
  return nextCents > 0 && isOver;
}
