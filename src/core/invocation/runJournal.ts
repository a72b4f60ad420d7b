import { isJsonObject } from "../json/jsonValue";
import type { InvocationPrice } from "../skill/price";
import { type InvocationOutcome, statusOf } from "./invocation";

/** What a journal is about. A run goes on with a journal only where all of it is still the same. */
export interface JournalHead {
  readonly journal: 1;
  readonly skill: string;
  readonly version: string;
  /** The registry's base URL, or `built-in`. */
  readonly registry: string;
  /** The shard it is of, such as `3/10`; empty for all lines. */
  readonly shard: string;
}

/**
 * An event of the journal: a line of the inputs is about to be sent (`started`), or how that ended. `notRun`
 * guarantees that the skill did not run, so that the line may be sent again. Lines count from 1.
 */
export type JournalEntry =
  | {
      readonly kind: "started";
      readonly line: number;
      /** SHA-256 of the line in hex. */
      readonly digest: string;
      /** Milliseconds since 1970. */
      readonly at: number;
    }
  | {
      readonly kind: "ended" | "notRun";
      readonly line: number;
      /** As in the record: success, error, blocked, outcome unknown, … */
      readonly status: string;
      readonly invocationId?: string;
      readonly code?: string;
      readonly milliseconds?: number;
      readonly cents?: number;
      readonly currency?: string;
    };

/** The state of a journal. Its size does not grow with the number of lines. */
export interface JournalState {
  /** The last line that was started; 0 before the first. */
  readonly lastLine: number;
  /** The state of the last line: `open` was started and has no known end. */
  readonly last: "none" | "open" | "ended" | "notRun";
  /** The chained digest of all lines that were started, in their order. */
  readonly chain: string;
  readonly counts: RunCounts;
}

/** How the lines of a run ended, and what they cost in hundredths of each currency. */
export interface RunCounts {
  readonly success: number;
  readonly failed: number;
  readonly unknown: number;
  readonly cents: Readonly<Record<string, number>>;
}

/** The state before the first line. */
export const emptyJournal: JournalState = {
  lastLine: 0,
  last: "none",
  chain: "",
  counts: { success: 0, failed: 0, unknown: 0, cents: {} },
};

/**
 * Adds an entry to the state. Lines follow each other, each ended before the next starts, unless the run was
 * killed: such a line counts as unknown once the next one starts. Undefined where the entry cannot follow.
 * `digest` returns the SHA-256 of a text in hex.
 */
export function noteEntry(
  state: JournalState,
  entry: JournalEntry,
  digest: (text: string) => string,
): JournalState | undefined {
  const { lastLine, last } = state;
  if (entry.kind !== "started") {
    if (entry.line !== lastLine || last !== "open") return undefined;
    return entry.kind === "notRun"
      ? { ...state, last: "notRun" }
      : { ...state, last: "ended", counts: addResult(state.counts, entry) };
  }
  if (entry.line === lastLine) return last === "notRun" ? { ...state, last: "open" } : undefined;
  if (entry.line < lastLine || last === "notRun") return undefined;
  return {
    lastLine: entry.line,
    last: "open",
    chain: nextChain(state.chain, entry.digest, digest),
    counts: settledCounts(state),
  };
}

/** Adds the digest of a line to the chain of the lines before it. */
export function nextChain(chain: string, line: string, digest: (text: string) => string): string {
  return digest(`${chain}\n${line}`);
}

/** The counts if nothing more follows: a line that is open has an unknown outcome. */
export function settledCounts({ counts, last }: JournalState): RunCounts {
  return last === "open" ? { ...counts, unknown: counts.unknown + 1 } : counts;
}

function addResult(
  counts: RunCounts,
  { status, cents = 0, currency = "" }: Extract<JournalEntry, { kind: "ended" | "notRun" }>,
): RunCounts {
  const kind =
    status === "success" ? "success" : status === "outcome unknown" ? "unknown" : "failed";
  const paid = { ...counts.cents, [currency]: (counts.cents[currency] ?? 0) + cents };
  return { ...counts, [kind]: counts[kind] + 1, ...(cents > 0 && { cents: paid }) };
}

/** The member of an entry's line that holds the output, last, as the registry's own JSON text. */
const outputMember = ',"output":';

/** Writes an entry as a line. The output goes in as it came, on one line. */
export function writeJournalEntry(entry: JournalEntry, outputText?: string): string {
  const text = JSON.stringify(entry);
  if (outputText === undefined) return `${text}\n`;
  // In JSON, a raw line break occurs only between values: inside a string it would be an escape.
  const output = outputText.replace(/[\r\n]/g, " ");
  return `${text.slice(0, -1)}${outputMember}${output}}\n`;
}

/** Reads a journal's first line. Undefined where it is none. */
export function readJournalHead(line: string): JournalHead | undefined {
  const value = parse(line);
  if (!isJsonObject(value) || value["journal"] !== 1) return undefined;
  const texts = ["skill", "version", "registry", "shard"];
  return texts.every((name) => typeof value[name] === "string")
    ? (value as unknown as JournalHead)
    : undefined;
}

/** Reads an entry's line. Undefined where it is damaged. */
export function readJournalEntry(line: string): JournalEntry | undefined {
  const value = parse(line);
  if (!isJsonObject(value) || !Number.isSafeInteger(value["line"])) return undefined;
  const { kind, digest, status, cents = 0, currency = "" } = value;
  if (kind === "started") {
    return typeof digest === "string" ? (value as unknown as JournalEntry) : undefined;
  }
  if (kind !== "ended" && kind !== "notRun") return undefined;
  const fits =
    typeof status === "string" && typeof cents === "number" && typeof currency === "string";
  return fits ? (value as unknown as JournalEntry) : undefined;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** One of `count` parts of the lines of a file; `index` counts from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

const maxShards = 10_000;

/** Reads `3/10`. Undefined for anything else. */
export function readShard(text: string): Shard | undefined {
  const [, index = "", count = ""] = /^(\d{1,5})\/(\d{1,5})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  const fits = shard.index >= 1 && shard.index <= shard.count && shard.count <= maxShards;
  return fits ? shard : undefined;
}

/**
 * Returns whether a line belongs to a shard. The SHA-256 of the line in hex decides, so that added lines move
 * no other to another shard; equal lines are in the same one.
 */
export function isInShard(digest: string, { index, count }: Shard): boolean {
  return Number.parseInt(digest.slice(0, 12), 16) % count === index - 1;
}

/** Decides what follows the outcome of a line: it is done, waits and is sent again, or the run stops before it. */
export function afterLine(outcome: InvocationOutcome): "ended" | "hold" | "stop" {
  if (outcome.kind === "notSent") return "stop";
  if (outcome.kind !== "refused") return "ended";
  if (outcome.reason === "rateLimit") return "hold";
  const ofThisLine = ["validation", "tooLarge", "registryError"];
  return ofThisLine.includes(outcome.reason) ? "ended" : "stop";
}

/** Returns whether the outcome is unknown; many of these in a row stop a run. */
export function isUncertain(outcome: InvocationOutcome): boolean {
  return (
    outcome.kind === "outcomeUnknown" ||
    (outcome.kind === "refused" && outcome.reason === "registryError")
  );
}

/** What the journal keeps of an outcome beside the output. */
export function lineFacts(outcome: InvocationOutcome) {
  const isOnlyMetered = outcome.kind === "success" && outcome.acceptedNotRun;
  const status = isOnlyMetered ? "accepted, not executed" : statusOf(outcome);
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
 * Returns whether one more invocation could exceed a limit, in hundredths of the currency. A line whose
 * outcome is unknown counts with its price.
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

/** Returns whether a line is still to be sent according to a journal. */
export function isLeft(
  line: number,
  { lastLine, last }: Pick<JournalState, "lastLine" | "last">,
): boolean {
  return line > lastLine || (line === lastLine && last === "notRun");
}
