import { isRejectionExpected } from "../core/invocation/permission/question";
import type { Caller } from "../core/invocation/record/invocationRecord";
import type { Answers, Asker } from "../engine/asker";

/** Who calls the tools, and how a person is asked about one invocation. */
export interface AgentClient {
  readonly caller: Caller;
  /** Asks the person whether this one invocation may be sent. */
  readonly askPerson: Answers["agentCall"];
  /** How many characters of an output may be returned. */
  readonly maxOutput: number;
}

/**
 * Answers for an agent what the engine asks of everybody: no, to all that a person would have to decide. The terms were
 * agreed to beforehand, which the agent's own gates have checked by then.
 */
export function agentAsker(client: AgentClient, started: Asker["started"]): Asker {
  const no = () => "no" as const;
  return {
    isPerson: false,
    answers: {
      unchecked: no,
      secrets: no,
      notExpectedToRun: (question) => (isRejectionExpected(question) ? "yes" : "no"),
      unreviewed: no,
      dailyLimit: no,
      uncounted: no,
      rateLimit: no,
      terms: () => "once",
      // The same payload is being sent by another program: its result is found in the record then.
      inProgress: () => "later",
      agentCall: client.askPerson,
    },
    agreedBefore: () => undefined,
    waiting: () => undefined,
    started,
    ended: () => undefined,
  };
}
