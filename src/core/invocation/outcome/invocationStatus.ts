import type { InvocationOutcome } from "../invocation";

/** The words the output channel and the record use for what became of a call. */
export type InvocationStatus =
  | "running"
  | "success"
  | "error"
  | "blocked"
  | "refused"
  | "cancelled"
  | "outcome unknown";

/** Every status, in the order they are offered as a filter. */
export const invocationStatuses: readonly InvocationStatus[] = [
  "running",
  "success",
  "error",
  "blocked",
  "refused",
  "cancelled",
  "outcome unknown",
];

/**
 * Puts an outcome into one word. `blocked` is a decision of the registry about this project (policy,
 * rate limit, payment); `refused` is a call it would not take as it was.
 */
export function statusOf(outcome: InvocationOutcome): InvocationStatus {
  switch (outcome.kind) {
    case "success":
      return "success";
    case "skillError":
      return "error";
    case "outcomeUnknown":
      return "outcome unknown";
    case "notSent":
      return outcome.failure.kind === "cancelled" ? "cancelled" : "refused";
    case "refused":
      return statusOfRefusal(outcome.reason);
  }
}

function statusOfRefusal(
  reason: Extract<InvocationOutcome, { kind: "refused" }>["reason"],
): InvocationStatus {
  switch (reason) {
    case "policy":
    case "rateLimit":
    case "payment":
      return "blocked";
    case "registryError":
      return "error";
    default:
      return "refused";
  }
}
