import {
  type AnswerTo,
  isRejectionExpected,
  type QuestionOf,
} from "../core/invocation/permission/question";
import type { Caller } from "../core/invocation/record/invocationRecord";
import type { Answers, Asker } from "../engine/asker";

/** A person's answer about one invocation, or a payload to send instead of the agent's. */
export type CallAnswer = AnswerTo<"agentCall"> | { readonly payload: string };

/** The caller of the tools, and a way to ask a person about one invocation. */
export interface AgentClient {
  readonly caller: Caller;
  /** Asks the person whether this one invocation may be sent. */
  readonly askPerson: (question: QuestionOf<"agentCall">) => CallAnswer | Promise<CallAnswer>;
  /** The maximum number of output characters in a result. */
  readonly maxOutput: number;
}

/**
 * Creates the asker of an agent. It answers no to everything that only a person may decide; the agent's own gates have
 * already checked the agreed terms. `agentCall` asks a person about this one invocation.
 */
export function agentAsker(agentCall: Answers["agentCall"], started: Asker["started"]): Asker {
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
      // Another program is sending the same payload; its result will be in the record.
      inProgress: () => "later",
      agentCall,
    },
    agreedBefore: () => undefined,
    waiting: () => undefined,
    started,
    ended: () => undefined,
  };
}
