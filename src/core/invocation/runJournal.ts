import { isJsonObject } from "../json/jsonValue";
import type { InvocationPrice } from "../skill/price";
import { type InvocationOutcome, namedCents, statusOf } from "./invocation";

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
 * An event of the journal: how many lines there are to send (`planned`), which of its runs a queue knows the lines that
 * follow by (`queued`; an empty one for none), a line of the inputs is about to be sent
 * (`started`), or to be sent once more because its outcome is unknown (`again`), or how that ended. `notRun`
 * guarantees that the skill did not run, so that the line may be sent again. Lines count from 1.
 */
export type JournalEntry =
  | { readonly kind: "planned"; readonly lines: number }
  | { readonly kind: "queued"; readonly run: string }
  | (LineStart & {
      readonly kind: "started";
      /** SHA-256 of the line in hex. */
      readonly digest: string;
      /** Lines before it that are to be sent and have not been started yet. Left out for none. */
      readonly passed?: readonly number[];
    })
  | (LineStart & { readonly kind: "again" })
  | LineEnd;

interface LineStart {
  readonly line: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The listed price, in hundredths of its currency. Left out for none. */
  readonly cents?: number;
}

/** How a line ended. */
export interface LineEnd {
  readonly kind: "ended" | "notRun";
  readonly line: number;
  /** As in the record: success, error, blocked, outcome unknown, … */
  readonly status: string;
  readonly invocationId?: string;
  readonly code?: string;
  readonly milliseconds?: number;
  /** Left out where the registry named no amount. */
  readonly cents?: number;
  readonly currency?: string;
}

/** The state of a journal. Its size grows with the lines that are open, did not run, or have an unknown outcome. */
export interface JournalState {
  /** How many lines there were to send, as far as a run has said. */
  readonly lines?: number;
  /** The run of a queue that lines go to now; empty for none. */
  readonly queued: string;
  /** The last line of the inputs that was started; 0 before the first. */
  readonly lastLine: number;
  /** One digest for all lines up to the last one, without those in `notRun`, in any order. */
  readonly digest: string;
  readonly counts: RunCounts;
  /** The lines that were started and have no known end: they are under way, or the run was killed. */
  readonly open: ReadonlyMap<number, OpenLine>;
  /** The lines before the last one that certainly did not run, and are to be sent; the last one too, where it did not. */
  readonly notRun: ReadonlySet<number>;
  /** The lines whose outcome is unknown, without those that are open for the first time. */
  readonly unknown: readonly number[];
  /** The listed prices of invocations that may have been billed and are not in the counts. */
  readonly unnamedCents: number;
}

interface OpenLine {
  readonly digest: string;
  /** The price that was listed when it was sent. */
  readonly listedCents: number;
  /** Whether it is sent once more, because its outcome is unknown. */
  readonly isAgain: boolean;
  /** The run of a queue that it went to; empty for none. */
  readonly queued: string;
}

/** How the lines of a run ended, and what they cost in hundredths of each currency, where the registry named it. */
export interface RunCounts {
  readonly success: number;
  readonly failed: number;
  readonly unknown: number;
  readonly cents: Readonly<Record<string, number>>;
}

/** The digest of no lines. */
export const noLines = "0".repeat(64);

/** The state before the first line. */
export const emptyJournal: JournalState = {
  queued: "",
  lastLine: 0,
  digest: noLines,
  counts: { success: 0, failed: 0, unknown: 0, cents: {} },
  open: new Map(),
  notRun: new Set(),
  unknown: [],
  unnamedCents: 0,
};

/**
 * Adds an entry to the state. Lines start and end in about the order of the inputs, or never end where the run was
 * killed: such a line counts as unknown. Lines that did not run start again at any time, and so do those whose outcome
 * is unknown. Undefined where the entry cannot follow. `digest` returns the SHA-256 of a text in hex.
 */
export function noteEntry(
  state: JournalState,
  entry: JournalEntry,
  digest: (text: string) => string,
): JournalState | undefined {
  switch (entry.kind) {
    case "planned":
      return { ...state, lines: entry.lines };
    case "queued":
      return { ...state, queued: entry.run };
    case "started":
      return noteStart(state, entry, digest);
    case "again":
      return noteAgain(state, entry);
    default:
      return noteEnd(state, entry);
  }
}

function noteStart(
  state: JournalState,
  entry: Extract<JournalEntry, { kind: "started" }>,
  digest: (text: string) => string,
): JournalState | undefined {
  const { line, passed = [], cents: listedCents = 0 } = entry;
  const { lastLine, open, notRun, queued } = state;
  if (line <= lastLine && !notRun.has(line)) return undefined;
  const left = new Set([...notRun, ...passed.filter((other) => other > lastLine)]);
  left.delete(line);
  const placed = placedDigest(line, entry.digest, digest);
  return {
    ...state,
    lastLine: Math.max(lastLine, line),
    digest: withDigest(state.digest, placed),
    open: withLine(open, line, { digest: placed, listedCents, isAgain: false, queued }),
    notRun: left,
  };
}

/** What it cost before stays beside what it costs now: both may be billed. */
function noteAgain(
  state: JournalState,
  { line, cents: listedCents = 0 }: LineStart,
): JournalState | undefined {
  const before = state.open.get(line)?.isAgain === false ? asUnknown(state, line) : state;
  const { queued } = state;
  if (!before.unknown.includes(line)) return undefined;
  return {
    ...before,
    open: withLine(before.open, line, { digest: noLines, listedCents, isAgain: true, queued }),
    unnamedCents: before.unnamedCents + listedCents,
  };
}

function noteEnd(state: JournalState, entry: LineEnd): JournalState | undefined {
  const { line, kind } = entry;
  const { counts, unknown, unnamedCents } = state;
  const started = state.open.get(line);
  if (started === undefined) return undefined;
  const closed = { ...state, open: withLine(state.open, line, undefined) };
  const { digest, listedCents, isAgain } = started;
  if (kind === "notRun") {
    // Of a line that is sent again, it is not known what became of it before.
    return isAgain
      ? { ...closed, unnamedCents: unnamedCents - listedCents }
      : {
          ...closed,
          digest: withDigest(state.digest, digest),
          notRun: new Set([...state.notRun, line]),
        };
  }
  if (!isAgain) return withResult(closed, entry, listedCents);
  const known = {
    ...closed,
    unknown: unknown.filter((other) => other !== line),
    counts: { ...counts, unknown: counts.unknown - 1 },
  };
  return withResult(known, entry, listedCents);
}

/** Counts an open line as one whose outcome is unknown. */
function asUnknown(state: JournalState, line: number): JournalState {
  const { counts, unknown, open } = state;
  return {
    ...state,
    open: withLine(open, line, undefined),
    counts: { ...counts, unknown: counts.unknown + 1 },
    unknown: [...unknown, line],
  };
}

function withLine(
  open: JournalState["open"],
  line: number,
  one: OpenLine | undefined,
): JournalState["open"] {
  const next = new Map(open);
  if (one === undefined) next.delete(line);
  else next.set(line, one);
  return next;
}

/** The digest of a line at its place among the lines. */
export function placedDigest(line: number, lineDigest: string, digest: (text: string) => string) {
  return digest(`${line}\n${lineDigest}`);
}

/**
 * Adds the digest of a line to that of others, in any order, or takes it away again. Both in hex, as SHA-256 has them.
 */
export function withDigest(lines: string, line: string): string {
  const sum = BigInt(`0x${lines}`) ^ BigInt(`0x${line}`);
  return sum.toString(16).padStart(64, "0");
}

/** The counts if nothing more follows: a line that is open has an unknown outcome. */
export function settledCounts({ counts, open }: JournalState): RunCounts {
  const firstTime = [...open.values()].filter(({ isAgain }) => !isAgain).length;
  return { ...counts, unknown: counts.unknown + firstTime };
}

/** The lines whose outcome is unknown if nothing more follows, in the order of the inputs. */
export function unknownLines({ open, unknown }: JournalState): readonly number[] {
  return [...new Set([...open.keys(), ...unknown])].sort((one, other) => one - other);
}

/** Returns how many lines that were to be sent have no outcome, not even an unknown one. */
export function missingLines(state: JournalState): number {
  const { success, failed, unknown } = settledCounts(state);
  return Math.max(0, (state.lines ?? 0) - success - failed - unknown);
}

/** Returns whether no line of a journal has run, so that nothing is lost where it is started over. */
export function isUnused(state: JournalState): boolean {
  const { success, failed, unknown } = settledCounts(state);
  return success + failed + unknown === 0;
}

function withResult(state: JournalState, entry: LineEnd, listedCents: number): JournalState {
  const { counts, unknown, unnamedCents } = state;
  const { line, status, cents, currency = "" } = entry;
  if (status === "outcome unknown") {
    return {
      ...state,
      counts: { ...counts, unknown: counts.unknown + 1 },
      unknown: [...unknown, line],
    };
  }
  const kind = status === "success" ? "success" : "failed";
  const next = { ...state, counts: { ...counts, [kind]: counts[kind] + 1 } };
  if (cents === undefined) {
    const hasRun = [...ranStatuses, acceptedStatus].includes(status);
    return hasRun ? { ...next, unnamedCents: unnamedCents + listedCents } : next;
  }
  if (cents <= 0) return next;
  // A currency may have the name of what every object has.
  const before = Object.hasOwn(counts.cents, currency) ? (counts.cents[currency] ?? 0) : 0;
  const paid = Object.fromEntries([
    ...Object.entries(counts.cents),
    [currency, before + cents] as const,
  ]);
  return { ...next, counts: { ...next.counts, cents: paid } };
}

const ranStatuses = ["success", "error"];
/** How a line ended that the registry recorded and did not run. */
const acceptedStatus = "accepted, not executed";

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
  if (!isJsonObject(value)) return undefined;
  const {
    kind,
    line: number,
    lines,
    run,
    digest,
    passed = [],
    status,
    cents = 0,
    currency = "",
  } = value;
  if (typeof cents !== "number" || typeof currency !== "string") return undefined;
  const fits =
    kind === "planned"
      ? Number.isSafeInteger(lines)
      : kind === "queued"
        ? typeof run === "string"
        : Number.isSafeInteger(number) &&
          (kind === "started"
            ? typeof digest === "string" && /^[0-9a-f]{64}$/.test(digest) && areLines(passed)
            : kind === "again" ||
              ((kind === "ended" || kind === "notRun") && typeof status === "string"));
  return fits ? (value as unknown as JournalEntry) : undefined;
}

function areLines(value: unknown): boolean {
  return Array.isArray(value) && value.every(Number.isSafeInteger);
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

/** Reads `3/10`. Undefined for anything else. */
export function readShard(text: string): Shard | undefined {
  const [, index = "", count = ""] = /^(\d{1,5})\/(\d{1,5})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  const fits = shard.index >= 1 && shard.index <= shard.count;
  return fits ? shard : undefined;
}

/** Lists the shards that are missing among some of one run, such as `3/10`; those of another count are foreign to it. */
export function missingShards(shards: readonly string[]): readonly string[] {
  const counts = shards.flatMap((shard) => readShard(shard)?.count ?? []);
  return [...new Set(counts)].flatMap((count) =>
    Array.from({ length: count }, (_, index) => `${index + 1}/${count}`).filter(
      (shard) => !shards.includes(shard),
    ),
  );
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
export function isUncertain({ status }: Pick<LineEnd, "status">): boolean {
  return status === "outcome unknown";
}

/** What the journal keeps of an outcome beside the output. */
export function lineFacts(outcome: InvocationOutcome) {
  const isOnlyMetered = outcome.kind === "success" && outcome.acceptedNotRun;
  const status = isOnlyMetered ? acceptedStatus : statusOf(outcome);
  if (outcome.kind === "notSent") return { status };
  const { invocationId, durationMs: milliseconds } = outcome;
  const facts = { status, milliseconds, ...(invocationId !== undefined && { invocationId }) };
  if (outcome.kind === "outcomeUnknown") return facts;
  const { code, currency } = outcome;
  const cents = namedCents(outcome);
  return {
    ...facts,
    ...(code !== undefined && { code }),
    ...(cents !== undefined && { cents: Math.max(0, cents) }),
    ...(currency !== undefined && { currency }),
  };
}

/**
 * Returns whether one more invocation, beside `others` that are about to start, could exceed a limit, in hundredths of
 * the currency. A line whose outcome is unknown counts with its price, and one whose answer named no amount with the
 * price that was listed when it was sent.
 */
export function mayExceed(
  state: JournalState,
  price: InvocationPrice,
  maxCents: number | undefined,
  others = 0,
): boolean {
  if (maxCents === undefined) return false;
  if (price.kind === "unknown") return true;
  const { cents, unknown } = settledCounts(state);
  const each = price.kind === "amount" ? price.cents : 0;
  const named = Object.values(cents).reduce((sum, amount) => sum + amount, 0);
  return named + state.unnamedCents + (unknown + others + 1) * each > maxCents;
}

/** Returns whether a line is still to be sent according to a journal. */
export function isLeft(
  line: number,
  { lastLine, notRun }: Pick<JournalState, "lastLine" | "notRun">,
): boolean {
  return line > lastLine || notRun.has(line);
}
