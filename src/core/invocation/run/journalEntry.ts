import { isJsonObject, type JsonObject, type JsonValue, parsedJson } from "../../json/jsonValue";
import { jsonLine } from "../../json/printJson";
import { areEndFacts, type EndFacts } from "../outcome";

/** The first entry of a journal, which identifies its run. Only a run with the same values can continue the journal. */
export interface JournalHead {
  readonly journal: 1;
  readonly skill: string;
  readonly version: string;
  /** The registry's base URL, or `built-in`. */
  readonly registry: string;
  /** The shard, such as `3/10`; empty for all lines. */
  readonly shard: string;
}

/**
 * An event of the journal. `planned`: the number of lines to send, and the digest of the inputs. `started`: a line is about to be sent. `again`: a
 * line with an unknown outcome is about to be sent once more. `ended`: the end of a line. `notRun`: the end of a line that certainly did not run and
 * may be sent again. Lines count from 1.
 */
export type JournalEntry =
  | {
      readonly kind: "planned";
      readonly lines: number;
      /** SHA-256 of the inputs, with the lines of all shards, in hex. Missing in journals of older versions. */
      readonly inputs?: string;
    }
  | (LineStart & {
      readonly kind: "started";
      /** SHA-256 of the line in hex. */
      readonly digest: string;
      /** Earlier lines that must be sent and have not been started. Left out for none. */
      readonly passed?: readonly number[];
    })
  | (LineStart & { readonly kind: "again" })
  | LineEnd;

/** A line that is about to be sent. */
export interface LineStart {
  readonly line: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The expected cost, in hundredths of `currency`. Left out if unknown. */
  readonly cents?: number;
  readonly currency?: string;
}

/** The end of a line, with the facts of its record. */
export interface LineEnd extends EndFacts {
  readonly kind: "ended" | "notRun";
  readonly line: number;
  readonly invocationId?: string;
  readonly code?: string;
  /** The reason for a failure, at most 500 characters. */
  readonly message?: string;
  readonly milliseconds?: number;
  /** Left out if the registry named no amount. */
  readonly cents?: number;
  readonly currency?: string;
  /** Its expected cost before sending, as in the record. */
  readonly expectedCents?: number;
  readonly expectedCurrency?: string;
}

/** The last member of an entry's line, which contains the output as the registry's own JSON text. */
const outputMember = ',"output":';

/** Writes an entry as a line. An output keeps its JSON text, without its line breaks. */
export function writeJournalEntry(entry: JournalEntry, outputText?: string): string {
  const text = JSON.stringify(entry);
  if (outputText === undefined) return `${text}\n`;
  return `${text.slice(0, -1)}${outputMember}${jsonLine(outputText)}}\n`;
}

/** Parses a journal's first line. Undefined for any other line. */
export function readJournalHead(line: string): JournalHead | undefined {
  const value = parsedJson(line);
  if (!isJsonObject(value) || value["journal"] !== 1) return undefined;
  const texts = ["skill", "version", "registry", "shard"];
  return texts.every((name) => typeof value[name] === "string")
    ? (value as unknown as JournalHead)
    : undefined;
}

/** Parses an entry's line. Undefined if it is damaged. */
export function readJournalEntry(line: string): JournalEntry | undefined {
  const value = parsedJson(line);
  if (!isJsonObject(value)) return undefined;
  const { kind, line: number, lines, inputs, digest, passed = [] } = value;
  const fits =
    kind === "planned"
      ? Number.isSafeInteger(lines) && (inputs === undefined || isDigest(inputs))
      : Number.isSafeInteger(number) &&
        (kind === "started" || kind === "again"
          ? readFacts(value) !== undefined &&
            (kind === "again" || (isDigest(digest) && areLines(passed)))
          : (kind === "ended" || kind === "notRun") && readLineFacts(value) !== undefined);
  return fits ? (value as unknown as JournalEntry) : undefined;
}

/** The maximum length of a status, code or ID. Messages are truncated to 500 characters. */
const maxFact = 1000;
const isText = (fact: unknown) => typeof fact === "string" && fact.length <= maxFact;
const checks: Readonly<Record<string, (fact: unknown) => boolean>> = {
  ...{ status: isText, ran: isText, reason: isText, invocationId: isText, code: isText },
  ...{ message: isText, currency: isText, expectedCurrency: isText },
  ...{ milliseconds: Number.isFinite, cents: Number.isFinite, expectedCents: Number.isFinite },
};

/** Reads how a line ended, and no other members. Undefined if a fact is missing, too long or of another type. */
function readLineFacts(value: JsonObject): Omit<LineEnd, "kind" | "line"> | undefined {
  const facts = readFacts(value);
  return facts !== undefined && areEndFacts(facts) ? facts : undefined;
}

function readFacts(value: JsonObject): JsonObject | undefined {
  const facts: Record<string, JsonValue> = {};
  for (const [name, isFit] of Object.entries(checks)) {
    const fact = value[name];
    if (fact === undefined) continue;
    if (!isFit(fact)) return undefined;
    facts[name] = fact;
  }
  return facts;
}

function isDigest(value: unknown): boolean {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

function areLines(value: unknown): boolean {
  return Array.isArray(value) && value.every(Number.isSafeInteger);
}
