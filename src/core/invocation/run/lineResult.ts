import { isJsonObject, parsedJson } from "../../json/jsonValue";
import { isVersion } from "../../skill/skillAddress";
import type { EndedInvocation } from "../record/invocationRecord";
import { type LineEnd, readLineFacts } from "./journalEntry";
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

/** The state of a line of an earlier run: its result, `notSent`, or undefined if it is unknown. */
export type EarlierLine = LineResult | "notSent" | undefined;

/**
 * Returns the result of a line that was not sent. Without a `message`, the line is sent later; with one, the run stops
 * for that reason.
 */
export function notSentResult(message?: string): LineResult {
  const facts = {
    status: "cancelled",
    ran: "no",
    ...(message !== undefined && { message }),
  } as const;
  return { next: message === undefined ? "hold" : "stop", facts, waitSeconds: 0 };
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

/**
 * Parses a result from a queue. Undefined for anything else. The output must be JSON, since it is written into the
 * journal.
 */
export function readLineResult(text: string): LineResult | undefined {
  const value = parsedJson(text);
  if (!isJsonObject(value)) return undefined;
  const { next, facts: given, outputText, otherVersion, isUnreached, waitSeconds } = value;
  const facts = isJsonObject(given) ? readLineFacts(given) : undefined;
  if (facts === undefined || !Number.isSafeInteger(waitSeconds)) return undefined;
  if (next !== "ended" && next !== "hold" && next !== "stop") return undefined;
  const isOther = typeof otherVersion === "string" && isVersion(otherVersion);
  if (otherVersion !== undefined && !isOther) return undefined;
  const hasOutput = typeof outputText === "string";
  if (hasOutput && parsedJson(outputText) === undefined) return undefined;
  return {
    ...{ next, facts },
    ...(hasOutput && { outputText }),
    ...(isOther && { otherVersion }),
    ...(isUnreached === true && { isUnreached }),
    waitSeconds: waitSeconds as number,
  };
}
