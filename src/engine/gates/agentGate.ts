import type { AgentVerdict } from "../../core/agents/agentGates";
import type { Stopped } from "../../core/invocation/permission/question";
import { isAgent, registryName } from "../../core/invocation/record/invocationRecord";
import { invocationPrice } from "../../core/skill/price";
import { type AgentGate, type AgentPoint, isRecent, type Passage, stopped } from "../passage";

/** Nobody but an agent has such a gate, and no agent goes without one. */
export function agentOf({ wanted }: Passage): AgentGate | undefined {
  const { agent, caller } = wanted;
  if ((agent !== undefined) !== isAgent(caller.kind)) {
    throw new Error("An agent's invocation has its gates, and no other.");
  }
  return agent;
}

/** A person lets agents invoke the skill as it was read. */
export async function letAgents(one: Passage): Promise<Stopped | undefined> {
  const agent = agentOf(one);
  return agent && stopFor(await agent.decide(pointOf(one)));
}

/**
 * This one invocation is within the limits, was not made before, and is agreed to by a person, where one has to be
 * asked. What was answered a while ago may no longer hold, so that everything is decided again after the question.
 */
export async function agentMay(one: Passage): Promise<Stopped | undefined> {
  const agent = agentOf(one);
  if (agent === undefined) return undefined;
  const verdict = await agent.decide(await pointWithSpending(one));
  if (verdict?.kind !== "ask") return stopFor(verdict);
  const { caller } = one.wanted;
  const { call } = agent;
  const { skill } = one;
  const payload = one.payload?.text ?? "";
  const question = { kind: "agentCall", caller, call, skill, payload } as const;
  const answer = await one.asker.answers.agentCall(question);
  if (answer === "later") return stopped({ kind: "declined", question });
  one.agentAnswer = answer;
  if (one.signal.aborted) return stopped("canceled");
  return agentMay(one);
}

/** Where an agent's invocation is, without what depends on one invocation. */
export function pointOf(one: Passage): AgentPoint {
  return {
    registry: registryName(one.wanted.registry),
    skill: one.skill,
    isRead: isRecent(one.readAt),
    warning: one.warning,
    answer: one.agentAnswer,
  };
}

async function pointWithSpending(one: Passage): Promise<AgentPoint> {
  const { registry, skill } = pointOf(one);
  const price = invocationPrice(skill);
  const call = { registry, skillSlug: skill.summary.slug, price, isAgents: true };
  return { ...pointOf(one), spending: await one.parts.ledger.before(call) };
}

function stopFor(verdict: AgentVerdict | undefined): Stopped | undefined {
  switch (verdict?.kind) {
    case undefined:
    case "ask":
      return undefined;
    case "refused":
      return stopped({ kind: "agent", refusal: verdict.refusal });
    case "earlier":
      return stopped(verdict);
  }
}
