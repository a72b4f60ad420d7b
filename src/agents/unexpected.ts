import { type AgentResult, resultOf } from "../core/agents/agentResults";
import type { AgentToolName } from "../core/agents/agentTools";

/** The state of an invocation whose tool failed. An agent may repeat an invocation that was not sent. */
type Fate = "notSent" | "sent" | "unread";

/**
 * Logs the kind of an unexpected error, but not its text, which may contain input. Returns the known state of the
 * invocation.
 */
export function unexpected(
  tool: AgentToolName,
  error: unknown,
  fate: Fate,
  log: (text: string) => void,
): AgentResult {
  const kind = error instanceof Error ? error.name : typeof error;
  log(`An unexpected error occurred in ${tool}: ${kind}`);
  return resultOf(fates[fate], true);
}

const fates = {
  notSent: { status: "notSent", message: "An unexpected error occurred." },
  sent: {
    status: "outcome unknown",
    message:
      "An unexpected error occurred: it may have been sent. Do not repeat it; tell the user.",
  },
  unread: {
    status: "outcome unknown",
    message:
      "An unexpected error occurred: the record could not be read. Do not invoke again; call read_output again.",
  },
} as const;
