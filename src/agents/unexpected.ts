import { type AgentResult, resultOf } from "../core/agents/agentResults";
import type { AgentToolName } from "../core/agents/agentTools";

/** The state of an invocation whose tool failed: an agent may repeat what was not sent. */
type Fate = "notSent" | "sent" | "unread";

/** Logs an unexpected error by its kind alone, since its text may carry input, and returns what is known. */
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
