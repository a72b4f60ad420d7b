import { type InvocationStatus, invocationStatuses } from "./invocationStatus";
import { isJsonObject, type JsonObject } from "./json";

/** What is kept of one call. Never holds a Project Key. */
export interface InvocationRecord {
  /** The version of this shape. */
  readonly schema: 1;
  /** Names the record here and its file; sorts by time. */
  readonly id: string;
  /** When the call started, in milliseconds since 1970. */
  readonly startedAt: number;
  /** When a call that has no end in the record must have ended, in milliseconds since 1970. */
  readonly endsBefore: number;
  /** The registry's base URL, or `built-in`. */
  readonly registry: string;
  readonly skillSlug: string;
  readonly version: string;
  readonly status: InvocationStatus;
  /** Milliseconds from sending to the last byte; 0 while running or where nothing was sent. */
  readonly durationMs: number;
  readonly invocationId?: string;
  readonly mode?: string;
  readonly code?: string;
  readonly message?: string;
  readonly amountCents?: number;
  readonly currency?: string;
}

/** The texts of a call: the input as typed, the output's JSON text as received where there is one. */
export interface InvocationTexts {
  readonly inputText: string;
  readonly outputText?: string;
}

/** The name a record gives the built-in registry, whose address changes with each start. */
export const builtInRegistryName = "built-in";

/** Names a new record so that names sort by time: milliseconds, then something random. */
export function newRecordId(startedAt: number, random: string): string {
  return `${String(startedAt).padStart(14, "0")}-${random}`;
}

/** Tells whether a text is the name of a record, and so safe to use in a path. */
export function isRecordId(text: string): boolean {
  return /^[0-9]{14}-[0-9a-z-]{4,40}$/.test(text);
}

/** Writes a record as the text of its file: a line of facts, then a line of texts. */
export function writeInvocationRecord(record: InvocationRecord, texts: InvocationTexts): string {
  return `${JSON.stringify(record)}\n${JSON.stringify(texts)}\n`;
}

/**
 * Reads the first line of a record's file. A call that should have ended by `now` and did not is
 * read as `outcome unknown`. Undefined where the line is damaged or of a shape not known here.
 */
export function readInvocationRecord(line: string, now: number): InvocationRecord | undefined {
  const value = parseObject(line);
  if (value === undefined || value["schema"] !== 1) return undefined;
  const typed =
    hasTypes(value, ["id", "registry", "skillSlug", "version", "status"], ["string"]) &&
    hasTypes(value, ["startedAt", "endsBefore", "durationMs"], ["number"]) &&
    hasTypes(value, ["invocationId", "mode", "code", "message", "currency"], optionalText) &&
    hasTypes(value, ["amountCents"], ["number", "undefined"]);
  if (!typed) return undefined;
  const record = value as unknown as InvocationRecord;
  const known = isRecordId(record.id) && invocationStatuses.includes(record.status);
  if (!known || Number.isNaN(new Date(record.startedAt).getTime())) return undefined;
  const abandoned = record.status === "running" && record.endsBefore < now;
  return abandoned ? { ...record, status: "outcome unknown" } : record;
}

/** Reads the second line of a record's file. Undefined where it is damaged. */
export function readInvocationTexts(line: string): InvocationTexts | undefined {
  const value = parseObject(line);
  if (value === undefined || !hasTypes(value, ["inputText"], ["string"])) return undefined;
  return hasTypes(value, ["outputText"], optionalText)
    ? (value as unknown as InvocationTexts)
    : undefined;
}

const optionalText = ["string", "undefined"];

function hasTypes(value: JsonObject, names: readonly string[], types: readonly string[]): boolean {
  return names.every((name) => types.includes(typeof value[name]));
}

function parseObject(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
