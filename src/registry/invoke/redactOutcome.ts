import type { InvocationOutcome } from "../../core/invocation/invocation";

/** Takes secrets out of every text of an outcome, so that no new field can be forgotten. */
export function redactOutcome(
  outcome: InvocationOutcome,
  redact: (text: string) => string,
): InvocationOutcome {
  return redactValue(outcome, redact) as InvocationOutcome;
}

function redactValue(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, redact));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, redactValue(member, redact)]),
  );
}
