import type { AgentVerdict } from "../../core/agents/gates/agentGates";
import type { AgentRefusal } from "../../core/agents/gates/agentRefusal";
import type { Stopped } from "../../core/invocation/permission/question";
import { isAgent } from "../../core/invocation/record/invocationRecord";
import { registryName } from "../../core/registry/registryName";
import {
  type Again,
  type AgentCallFacts,
  type AgentGate,
  type AgentSkillFacts,
  type Agreement,
  type Attempt,
  type Call,
  isRecent,
  isStopped,
  type Reading,
  stopped,
} from "../attempt";
import { type SpendingToday, spentBefore } from "../store/spentToday";
import { pricedCall, readSkill } from "./gates";

/** Returns the gates of an agent's invocation; undefined for every other caller. */
export function agentOf({ request }: Call): AgentGate | undefined {
  const { agent, caller } = request;
  if ((agent !== undefined) !== isAgent(caller.kind)) {
    throw new Error("An agent's invocation has its gates, and no other.");
  }
  return agent;
}

/** Reads the skill again for an agent. Passes if a person allows agents to use it. */
export async function checkAgentMayUseSkill(call: Call): Promise<Stopped | undefined> {
  const agent = agentOf(call);
  if (agent === undefined) return undefined;
  const read = await readSkill(call);
  return isStopped(read) ? read : refused(await agent.mayUseSkill(skillFactsOf(call, read)));
}

/**
 * Passes if this invocation is within the limits, is no repeat, and has a person's consent if needed. After a question,
 * all gates run again, since their earlier results may be outdated.
 */
export async function checkAgentMayInvoke(
  attempt: Attempt,
  agreement: Agreement,
): Promise<Stopped | Again | undefined> {
  const agent = agentOf(attempt);
  if (agent === undefined) return undefined;
  const spending = await spentBefore(attempt.parts.store, pricedCall(attempt, agreement, 1)).catch(
    () => undefined,
  );
  attempt.spending = spending;
  // An agent's limits cannot be checked without the spending.
  if (spending === undefined) return stopped("notRecorded");
  const verdict = await agent.decide(callFactsOf(attempt, agreement, spending));
  if (verdict?.kind !== "ask") return endOfVerdict(verdict);
  const { caller } = attempt.request;
  const { call } = agent;
  const { skill } = agreement;
  const payload = attempt.payload?.text ?? "";
  const question = { kind: "agentCall", caller, call, skill, payload } as const;
  const answer = await attempt.asker.answers.agentCall(question);
  if (answer === "later") return stopped({ kind: "declined", question });
  attempt.agentAnswer = answer;
  return "again";
}

/**
 * Checks the permission again after the invocation was recorded. A person may have stopped agents while the store was
 * busy.
 */
export async function recheckAgentMayUseSkill(
  call: Call,
  agreement: Agreement,
): Promise<Stopped | undefined> {
  return refused(await agentOf(call)?.mayUseSkill(skillFactsOf(call, agreement)));
}

/** Returns the facts about this invocation for an agent's gates. */
export function callFactsOf(
  attempt: Attempt,
  agreement: Agreement,
  spending: SpendingToday,
): AgentCallFacts {
  return { ...skillFactsOf(attempt, agreement), spending, answer: attempt.agentAnswer };
}

function skillFactsOf(
  { request }: Call,
  { skill, readAt, warning }: Reading & { readonly warning?: string },
): AgentSkillFacts {
  return { registry: registryName(request.registry), skill, isRead: isRecent(readAt), warning };
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
