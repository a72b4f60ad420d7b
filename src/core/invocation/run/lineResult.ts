import type { EndedInvocation } from "../record/invocationRecord";
import type { LineEnd } from "./journalEntry";
import { afterLine, isUnexecuted, lineFacts } from "./runJournal";

/** The part of a line's result that a run needs. */
export interface LineResult {
  /** The decision about a line: it is done, it certainly did not run and is sent again, or it stops the run. */
  readonly next: ReturnType<typeof afterLine>;
  readonly facts: Omit<LineEnd, "kind" | "line">;
  /** The output's own JSON text. */
  readonly outputText?: string | undefined;
  /** The version that ran, if it is not the requested one. */
  readonly otherVersion?: string;
  /** Whether the run stops because the registry is unreachable. */
  readonly isUnreached?: boolean;
  /** Whole seconds for which the rate limit holds the skill now; 0 for none. */
  readonly waitSeconds: number;
}

/** Converts the end of an invocation to the result of its line. */
export function lineResult(ended: EndedInvocation, outputText: string | undefined): LineResult {
  const { outcome, record, waitSeconds } = ended;
  const next = afterLine(outcome);
  const result = {
    ...{ next, facts: lineFacts(ended), outputText, waitSeconds },
    ...(record.askedVersion !== undefined && { otherVersion: record.version }),
  };
  return next === "stop" ? { ...result, isUnreached: outcome.kind === "notSent" } : result;
}

/**
 * Decides whether a line stops the run because the other lines would end like it. `otherVersion`: the registry ran a
 * version that nobody agreed to. `unexecuted`: the registry accepts lines without executing them, and the user did not
 * allow that.
 */
export function stopsRun(
  { facts, otherVersion }: LineResult,
  allowsUnexecuted: boolean,
): "otherVersion" | "unexecuted" | undefined {
  if (otherVersion !== undefined) return "otherVersion";
  return isUnexecuted(facts) && !allowsUnexecuted ? "unexecuted" : undefined;
}
