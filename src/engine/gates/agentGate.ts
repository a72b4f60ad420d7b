import type { AgentRefusal, AgentVerdict } from "../../core/agents/agentGates";
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

/** Nobody but an agent has such a gate, and no agent goes without one. */
export function agentOf({ wanted }: Passage): AgentGate | undefined {
  const { agent, caller } = wanted;
  if ((agent !== undefined) !== isAgent(caller.kind)) {
    throw new Error("An agent's invocation has its gates, and no other.");
  }
  return agent;
}

/** A person lets agents invoke the skill as it is read now. */
export async function agentsMayUseSkill(one: Passage): Promise<Stopped | undefined> {
  const agent = agentOf(one);
  if (agent === undefined) return undefined;
  const read = await skillRead(one);
  return isStopped(read) ? read : refused(await agent.mayUseSkill(pointOf(read)));
}

/**
 * This one invocation is within the limits, was not made before, and is agreed to by a person, where one has to be
 * asked. After the question all gates are passed again: what was answered a while ago may no longer hold.
 */
export async function agentMayInvokeNow(one: AllowedPassage): Promise<Stopped | Again | undefined> {
  const agent = agentOf(one);
  if (agent === undefined) return undefined;
  const spending = await spentBefore(one.parts.store, pricedCall(one, 1)).catch(() => undefined);
  one.spent = spending;
  // What cannot be counted closes the limits that agents have.
  if (spending === undefined) return stopped("notRecorded");
  const verdict = await agent.decide(callPointOf(one, spending));
  if (verdict?.kind !== "ask") return endOfVerdict(verdict);
  const { caller } = one.wanted;
  const { call } = agent;
  const { skill } = one;
  const payload = one.payload?.text ?? "";
  const question = { kind: "agentCall", caller, call, skill, payload } as const;
  const answer = await one.asker.answers.agentCall(question);
  if (answer === "later") return stopped({ kind: "declined", question });
  one.agentAnswer = answer;
  return "again";
}

/** Decides once more when it was recorded: agents may have been stopped while the store was waited for. */
export async function agentStillMay(one: Passage): Promise<Stopped | undefined> {
  return refused(await agentOf(one)?.mayUseSkill(pointOf(one)));
}

/** Returns where an agent's invocation is, with what was spent before it. */
export function callPointOf(one: Passage, spending: SpendingToday): AgentCallPoint {
  return { ...pointOf(one), spending, answer: one.agentAnswer };
}

function pointOf(one: Passage): AgentPoint {
  return {
    registry: registryName(one.wanted.registry),
    skill: one.skill,
    isRead: isRecent(one.readAt),
    warning: one.warning,
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
