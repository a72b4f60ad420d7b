import type { InvocationOutcome } from "../../core/invocation/invocation";
import type { KeyRedactor } from "../../core/registry/redactSecrets";
import type { Chunked } from "../../core/text/chunked";

/** Takes secrets out of every text of an outcome, so that no new field can be forgotten. */
export function* redactOutcome(
  outcome: InvocationOutcome,
  redactor: KeyRedactor,
): Chunked<InvocationOutcome> {
  return (yield* redactValue(outcome, redactor)) as InvocationOutcome;
}

function* redactValue(value: unknown, redactor: KeyRedactor): Chunked<unknown> {
  if (typeof value === "string") return yield* redactor.redactChunked(value);
  if (typeof value !== "object" || value === null) return value;
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    members.push([name, yield* redactValue(member, redactor)]);
  }
  return Array.isArray(value) ? members.map(([, item]) => item) : Object.fromEntries(members);
}
