import type { InvocationOutcome } from "../../core/invocation/invocation";

/** How a claimed call ended: it never left, the user stopped it after it left, or it ended by itself. */
export type CallEnd = "notSent" | "cancelled" | "done";

/** Tells how a call ended by what became of it. */
export function endOf(outcome: InvocationOutcome): CallEnd {
  if (outcome.kind === "notSent") return "notSent";
  const isCancelled = outcome.kind === "outcomeUnknown" && outcome.failure.kind === "cancelled";
  return isCancelled ? "cancelled" : "done";
}
