import type { InvocationOutcome } from "../invocation/invocation";
import type { InvocationPrice } from "../invocation/limits/spending";
import { statusOf } from "../invocation/outcome/invocationStatus";
import { type JournalState, settledCounts } from "./journal";

/** Says what follows the outcome of a line: it is done, waits and is sent again, or the run stops before it. */
export function lineEnd(outcome: InvocationOutcome): "ended" | "hold" | "stop" {
  if (outcome.kind === "notSent") return "stop";
  if (outcome.kind !== "refused") return "ended";
  if (outcome.reason === "rateLimit") return "hold";
  const ofThisLine = ["validation", "tooLarge", "registryError"];
  return ofThisLine.includes(outcome.reason) ? "ended" : "stop";
}

/** Tells whether the outcome is unknown; many of these in a row stop a run. */
export function isUncertain(outcome: InvocationOutcome): boolean {
  return (
    outcome.kind === "outcomeUnknown" ||
    (outcome.kind === "refused" && outcome.reason === "registryError")
  );
}

/** What the journal keeps of an outcome beside the output. */
export function lineFacts(outcome: InvocationOutcome) {
  const isOnlyMetered = outcome.kind === "success" && outcome.acceptedNotRun;
  const status = isOnlyMetered ? "accepted, not run" : statusOf(outcome);
  if (outcome.kind === "notSent") return { status };
  const { invocationId, durationMs: milliseconds } = outcome;
  const facts = { status, milliseconds, ...(invocationId !== undefined && { invocationId }) };
  if (outcome.kind === "outcomeUnknown") return facts;
  const { code, amountCents: cents, currency } = outcome;
  return {
    ...facts,
    ...(code !== undefined && { code }),
    ...(cents !== undefined && cents > 0 && { cents }),
    ...(currency !== undefined && { currency }),
  };
}

/**
 * Tells whether one invocation more could pass a limit, in hundredths of the currency. Where the outcome of
 * a line is not known, it is taken to have cost its price.
 */
export function mayExceed(
  state: JournalState,
  price: InvocationPrice,
  maxCents: number | undefined,
): boolean {
  if (maxCents === undefined) return false;
  if (price.kind === "unknown") return true;
  const { cents, unknown } = settledCounts(state);
  const each = price.kind === "amount" ? price.cents : 0;
  const spent = Object.values(cents).reduce((sum, amount) => sum + amount, 0);
  return spent + (unknown + 1) * each > maxCents;
}

/** Tells whether a line is still to be sent as far as a journal says. */
export function isLeft(
  line: number,
  { lastLine, last }: Pick<JournalState, "lastLine" | "last">,
): boolean {
  return line > lastLine || (line === lastLine && last === "notRun");
}
