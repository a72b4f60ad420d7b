import { english } from "../../text/language";
import { oneLine } from "../../text/plainText";
import { type Amount, costOf, totalCents } from "../cost";
import { type InvocationOutcome, isTooLate } from "../invocation";
import { type EndFacts, outcomeOf } from "../outcome";
import { endNotice } from "../outcomeNotice";
import type { EndedInvocation } from "../record/invocationRecord";
import type { JournalEntry, LineEnd, LineStart } from "./journalEntry";
import { type LineFailures, withFailure } from "./lineFailures";

/**
 * The state of a journal. Its size depends only on the lines that are open, did not run, or have an unknown outcome.
 */
export interface JournalState {
  /** The number of lines to send, if a run has recorded it. */
  readonly lines?: number;
  /** The digest of the inputs for which a run recorded it. */
  readonly inputs?: string | undefined;
  /** The last started line of the inputs; 0 before the first. */
  readonly lastLine: number;
  /** A combined digest of all lines up to the last one, except those in `notRun`, independent of their order. */
  readonly digest: string;
  readonly counts: RunCounts;
  /** Why lines failed. */
  readonly failures: readonly LineFailures[];
  /** Started lines without a known end: they are in progress, or the run was killed. */
  readonly open: ReadonlyMap<number, OpenLine>;
  /** Lines that certainly did not run and will be sent again. */
  readonly notRun: ReadonlySet<number>;
  /** The lines with an unknown outcome, including those that are being sent once more. */
  readonly unknown: readonly number[];
}

interface OpenLine {
  readonly digest: string;
  /** The expected cost before sending; undefined if it was unknown. */
  readonly expected: Amount | undefined;
  /** Whether the line is sent once more because its outcome is unknown. */
  readonly isAgain: boolean;
}

/** How the lines of a run ended, and their cost in hundredths of each currency, by `costOf`. */
export interface RunCounts {
  readonly success: number;
  readonly failed: number;
  readonly unknown: number;
  /** The named amounts. */
  readonly cents: Readonly<Record<string, number>>;
  /** The expected cost of lines that may have been billed without a named amount. */
  readonly expected: Readonly<Record<string, number>>;
  /** The number of lines that may have been billed without a named amount and had no expected cost. */
  readonly unpriced: number;
}

/** The digest of no lines. */
export const noLines = "0".repeat(64);

/** The state before the first line. */
export const emptyJournal: JournalState = {
  lastLine: 0,
  digest: noLines,
  counts: { success: 0, failed: 0, unknown: 0, cents: {}, expected: {}, unpriced: 0 },
  failures: [],
  open: new Map(),
  notRun: new Set(),
  unknown: [],
};

/**
 * Adds an entry to the state. Undefined if the entry cannot follow. Lines start and end roughly in the order of the
 * inputs. A line without an end after a kill counts as unknown. Lines that did not run may start again at any time, and
 * so may those with an unknown outcome. `digest` returns the SHA-256 of a text in hex.
 */
export function noteEntry(
  state: JournalState,
  entry: JournalEntry,
  digest: (text: string) => string,
): JournalState | undefined {
  switch (entry.kind) {
    case "planned":
      return { ...state, lines: entry.lines, inputs: entry.inputs };
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
  const { line, passed = [] } = entry;
  const { lastLine, open, notRun } = state;
  if (line <= lastLine && !notRun.has(line)) return undefined;
  const unsent = new Set([...notRun, ...passed.filter((other) => other > lastLine)]);
  unsent.delete(line);
  const numbered = numberedDigest(line, entry.digest, digest);
  return {
    ...state,
    lastLine: Math.max(lastLine, line),
    digest: withDigest(state.digest, numbered),
    open: withLine(open, line, {
      digest: numbered,
      expected: expectedAmountOf(entry),
      isAgain: false,
    }),
    notRun: unsent,
  };
}

function expectedAmountOf({ cents, currency = "" }: LineStart): Amount | undefined {
  return cents === undefined ? undefined : { cents, currency };
}

/**
 * Records that a line with an unknown outcome is sent again. Both attempts may be billed, so the earlier cost is kept
 * beside the new one.
 */
function noteAgain(state: JournalState, entry: LineStart): JournalState | undefined {
  const { line } = entry;
  const before = state.open.get(line)?.isAgain === false ? asUnknown(state, line) : state;
  if (!before.unknown.includes(line)) return undefined;
  return {
    ...before,
    open: withLine(before.open, line, {
      ...{ digest: noLines, expected: expectedAmountOf(entry), isAgain: true },
    }),
  };
}

function noteEnd(state: JournalState, entry: LineEnd): JournalState | undefined {
  const { line, kind } = entry;
  const { counts, unknown } = state;
  const started = state.open.get(line);
  if (started === undefined) return undefined;
  const closed = { ...state, open: withLine(state.open, line, undefined) };
  const { digest, expected, isAgain } = started;
  if (kind === "notRun") {
    // The outcome of the earlier attempt stays unknown.
    return isAgain
      ? closed
      : {
          ...closed,
          digest: withDigest(state.digest, digest),
          notRun: new Set([...state.notRun, line]),
        };
  }
  if (!isAgain) return withResult(closed, entry, expected);
  const known = {
    ...closed,
    unknown: unknown.filter((other) => other !== line),
    counts: { ...counts, unknown: counts.unknown - 1 },
  };
  return withResult(known, entry, expected);
}

/** Counts an open line as one with an unknown outcome. */
function asUnknown(state: JournalState, line: number): JournalState {
  const { counts, unknown, open } = state;
  return {
    ...state,
    open: withLine(open, line, undefined),
    counts: { ...withExpected(counts, open.get(line)?.expected), unknown: counts.unknown + 1 },
    unknown: [...unknown, line],
  };
}

function withLine(
  open: JournalState["open"],
  line: number,
  entry: OpenLine | undefined,
): JournalState["open"] {
  const next = new Map(open);
  if (entry === undefined) next.delete(line);
  else next.set(line, entry);
  return next;
}

/** Returns the digest of a line combined with its number. */
export function numberedDigest(line: number, lineDigest: string, digest: (text: string) => string) {
  return digest(`${line}\n${lineDigest}`);
}

/**
 * Adds the digest of a line to the combined digest, independent of order. Adding it again removes it. Both are
 * hexadecimal SHA-256.
 */
export function withDigest(lines: string, line: string): string {
  const sum = BigInt(`0x${lines}`) ^ BigInt(`0x${line}`);
  return sum.toString(16).padStart(64, "0");
}

/** Returns the counts for a journal that ends here: open lines then have an unknown outcome. */
export function settledCounts({ counts, open }: JournalState): RunCounts {
  const lines = [...open.values()];
  const firstTime = lines.filter(({ isAgain }) => !isAgain).length;
  const settled = lines.reduce((sums, line) => withExpected(sums, line.expected), counts);
  return { ...settled, unknown: counts.unknown + firstTime };
}

/** Lists the lines with an unknown outcome for a journal that ends here, in the order of the inputs. */
export function unknownLines({ open, unknown }: JournalState): readonly number[] {
  return [...new Set([...open.keys(), ...unknown])].sort((one, other) => one - other);
}

/** Returns how many planned lines have no outcome, not even an unknown one. */
export function missingLines(state: JournalState): number {
  const { success, failed, unknown } = settledCounts(state);
  return Math.max(0, (state.lines ?? 0) - success - failed - unknown);
}

/** Returns whether no line of a journal has run, so that starting over loses nothing. */
export function isUnused(state: JournalState): boolean {
  const { success, failed, unknown } = settledCounts(state);
  return success + failed + unknown === 0;
}

function withResult(
  state: JournalState,
  entry: LineEnd,
  expected: Amount | undefined,
): JournalState {
  const { counts, unknown, failures } = state;
  const { line, cents, currency = "", expectedCents, expectedCurrency = "" } = entry;
  const expectedAmount =
    expectedCents === undefined ? expected : { cents: expectedCents, currency: expectedCurrency };
  const { isSuccess, mayBeBilled } = outcomeOf(entry);
  const named =
    cents === undefined
      ? counts
      : { ...counts, cents: withAmount(counts.cents, { cents, currency }) };
  const costs = cents === undefined && mayBeBilled ? withExpected(named, expectedAmount) : named;
  const kind = isUncertain(entry) ? "unknown" : isSuccess ? "success" : "failed";
  return {
    ...state,
    counts: { ...costs, [kind]: counts[kind] + 1 },
    unknown: kind === "unknown" ? [...unknown, line] : unknown,
    failures: kind === "failed" ? withFailure(failures, entry) : failures,
  };
}

function withExpected(counts: RunCounts, amount: Amount | undefined): RunCounts {
  return amount === undefined
    ? { ...counts, unpriced: counts.unpriced + 1 }
    : { ...counts, expected: withAmount(counts.expected, amount) };
}

function withAmount(sums: RunCounts["cents"], { cents, currency }: Amount): RunCounts["cents"] {
  if (cents <= 0) return sums;
  // A registry could name a currency `constructor` or `toString`, which every object has.
  const before = Object.hasOwn(sums, currency) ? (sums[currency] ?? 0) : 0;
  return Object.fromEntries([...Object.entries(sums), [currency, before + cents] as const]);
}

/**
 * Decides the next step after the outcome of a line. `ended`: the line is done. `hold`: it is sent again later. `stop`:
 * the run stops, and the line can be sent by the next run.
 */
export function afterLine(outcome: InvocationOutcome): "ended" | "hold" | "stop" {
  if (outcome.kind === "notSent") return isTooLate(outcome) ? "hold" : "stop";
  if (outcome.kind !== "refused") return "ended";
  if (outcome.reason === "rateLimit") return "hold";
  const reasonsOfLine = ["validation", "tooLarge", "registryError"];
  return reasonsOfLine.includes(outcome.reason) ? "ended" : "stop";
}

/** Returns whether the outcome is unknown; many of these in a row stop a run. */
export function isUncertain(facts: EndFacts): boolean {
  return outcomeOf(facts).counts === "undecided";
}

/** Returns whether the registry accepted a line without executing it. It would treat all other lines alike. */
export function isUnexecuted({ ran }: EndFacts): boolean {
  return ran === "acceptedOnly";
}

/** Returns the stored facts of an invocation beside its output: those of its record, and its message. */
export function lineFacts(ended: EndedInvocation): Omit<LineEnd, "kind" | "line"> {
  const { outcome, record } = ended;
  const { status, ran, reason, invocationId, code, durationMs, amountCents } = record;
  const cost = costOf(record);
  const currency = cost.kind === "known" ? cost.currency : record.currency;
  const message = endNotice(ended, english)?.message;
  return {
    status,
    ran,
    ...(reason !== undefined && { reason }),
    ...(outcome.kind !== "notSent" && { milliseconds: durationMs }),
    ...(invocationId !== undefined && { invocationId }),
    ...(code !== undefined && { code }),
    ...(message !== undefined && { message: oneLine(message, 500) }),
    ...(amountCents !== undefined && { cents: amountCents }),
    ...(currency !== undefined && currency !== "" && { currency }),
    ...(cost.kind === "expected" && {
      expectedCents: cost.cents,
      expectedCurrency: cost.currency,
    }),
  };
}

/**
 * Returns whether one more invocation, beside `others` that are about to start, could exceed a limit (`totalCents`).
 * `each` is the expected cost of one; undefined if unknown. A line that may have been billed without a named amount counts
 * at its expected cost.
 */
export function mayExceed(
  state: JournalState,
  each: Amount | undefined,
  maxCents: number | undefined,
  others = 0,
): boolean {
  if (maxCents === undefined) return false;
  if (each === undefined) return true;
  const { cents, expected } = settledCounts(state);
  const spent = [...Object.entries(cents), ...Object.entries(expected)].map(
    ([currency, amount]) => ({ cents: amount, currency }),
  );
  const next = { cents: (others + 1) * each.cents, currency: each.currency };
  return totalCents([...spent, next]) > maxCents;
}

/** Returns whether a line must still be sent according to a journal. */
export function mustBeSent(
  line: number,
  { lastLine, notRun }: Pick<JournalState, "lastLine" | "notRun">,
): boolean {
  return line > lastLine || notRun.has(line);
}
