import type { AgentVerdict } from "../../core/agents/gates/agentGates";
import type { AgentRefusal } from "../../core/agents/gates/agentRefusal";
import type { Stopped } from "../../core/invocation/permission/question";
import { isAgent, registryName } from "../../core/invocation/record/invocationRecord";
import {
  type Again,
  type AgentCallPoint,
  type AgentGate,
  type AgentPoint,
  type AllowedPassage,
  isRecent,
  isStopped,
  type Passage,
  stopped,
} from "../passage";
import { type SpendingToday, spentBefore } from "../store/spentToday";
import { pricedCall, skillRead } from "./gates";

/** Returns the gate of an agent's invocation. Undefined for every other caller. */
export function agentOf({ wanted }: Passage): AgentGate | undefined {
  const { agent, caller } = wanted;
  if ((agent !== undefined) !== isAgent(caller.kind)) {
    throw new Error("An agent's invocation has its gates, and no other.");
  }
  return agent;
}

/** Passes if a person allows agents to use the newly read skill. */
export async function agentsMayUseSkill(passage: Passage): Promise<Stopped | undefined> {
  const agent = agentOf(passage);
  if (agent === undefined) return undefined;
  const read = await skillRead(passage);
  return isStopped(read) ? read : refused(await agent.mayUseSkill(pointOf(read)));
}

/**
 * Passes if this invocation is within the limits, was not made before, and has a person's consent if needed. A question
 * starts all gates again, since earlier answers may no longer hold.
 */
export async function agentMayInvokeNow(
  passage: AllowedPassage,
): Promise<Stopped | Again | undefined> {
  const agent = agentOf(passage);
  if (agent === undefined) return undefined;
  const spending = await spentBefore(passage.parts.store, pricedCall(passage, 1)).catch(
    () => undefined,
  );
  passage.spent = spending;
  // If spending is unknown, an agent's limits refuse.
  if (spending === undefined) return stopped("notRecorded");
  const verdict = await agent.decide(callPointOf(passage, spending));
  if (verdict?.kind !== "ask") return endOfVerdict(verdict);
  const { caller } = passage.wanted;
  const { call } = agent;
  const { skill } = passage;
  const payload = passage.payload?.text ?? "";
  const question = { kind: "agentCall", caller, call, skill, payload } as const;
  const answer = await passage.asker.answers.agentCall(question);
  if (answer === "later") return stopped({ kind: "declined", question });
  passage.agentAnswer = answer;
  return "again";
}

/**
 * Decides again after the invocation was recorded, since agents may have been stopped while it waited for the store.
 */
export async function agentStillMay(passage: Passage): Promise<Stopped | undefined> {
  return refused(await agentOf(passage)?.mayUseSkill(pointOf(passage)));
}

/** Returns the facts for an agent's gates, including earlier spending. */
export function callPointOf(passage: Passage, spending: SpendingToday): AgentCallPoint {
  return { ...pointOf(passage), spending, answer: passage.agentAnswer };
}

function pointOf(passage: Passage): AgentPoint {
  return {
    registry: registryName(passage.wanted.registry),
    skill: passage.skill,
    isRead: isRecent(passage.readAt),
    warning: passage.warning,
  };
}

function endOfVerdict(verdict: AgentVerdict | undefined): Stopped | Again | undefined {
  switch (verdict?.kind) {
    case undefined:
      return undefined;
    case "ask":
      return "again";
    case "refused":
      return refused(verdict.refusal);
    case "earlier":
      return stopped(verdict);
  }
}

function refused(refusal: AgentRefusal | undefined): Stopped | undefined {
  return refusal && stopped({ kind: "agent", refusal });
}
