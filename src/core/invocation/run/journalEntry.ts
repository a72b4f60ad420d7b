import { isJsonObject } from "../../json/jsonValue";
import { jsonLine } from "../../json/printJson";
import { areEndFacts, type EndFacts } from "../outcome";

/** The subject of a journal. A run continues a journal only where all of it is still the same. */
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
 * An event of the journal. `planned`: how many lines there are to send. `queued`: the queue's ID for the run of the
 * lines that follow; empty for none. `started`: a line of the inputs is about to be sent. `again`: it is about to be
 * sent once more, because its outcome is unknown. The last kind is how that ended; its `notRun` guarantees that the
 * skill did not run, so that the line may be sent again. Lines count from 1.
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

/** A line that is about to be sent. */
export interface LineStart {
  readonly line: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** What it is expected to cost, in hundredths of `currency`. Left out where that is not known. */
  readonly cents?: number;
  readonly currency?: string;
}

/** How a line ended, by the facts of its record. */
export interface LineEnd extends EndFacts {
  readonly kind: "ended" | "notRun";
  readonly line: number;
  readonly invocationId?: string;
  readonly code?: string;
  /** Why it did not succeed, at most 500 characters. */
  readonly message?: string;
  readonly milliseconds?: number;
  /** Left out where the registry named no amount. */
  readonly cents?: number;
  readonly currency?: string;
  /** Its expected cost when it was sent, as in the record. */
  readonly expectedCents?: number;
  readonly expectedCurrency?: string;
}

/** The member of an entry's line that holds the output, last, as the registry's own JSON text. */
const outputMember = ',"output":';

/** Writes an entry as a line. The output goes in as it came, on one line. */
export function writeJournalEntry(entry: JournalEntry, outputText?: string): string {
  const text = JSON.stringify(entry);
  if (outputText === undefined) return `${text}\n`;
  return `${text.slice(0, -1)}${outputMember}${jsonLine(outputText)}}\n`;
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
    cents = 0,
    expectedCents = 0,
    currency = "",
    expectedCurrency = "",
    code = "",
    message = "",
  } = value;
  const texts = [currency, expectedCurrency, code, message];
  const areNumbers = [cents, expectedCents].every((one) => typeof one === "number");
  if (!areNumbers || !texts.every((one) => typeof one === "string")) return undefined;
  const fits =
    kind === "planned"
      ? Number.isSafeInteger(lines)
      : kind === "queued"
        ? typeof run === "string"
        : Number.isSafeInteger(number) &&
          (kind === "started"
            ? typeof digest === "string" && /^[0-9a-f]{64}$/.test(digest) && areLines(passed)
            : kind === "again" || ((kind === "ended" || kind === "notRun") && areEndFacts(value)));
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
