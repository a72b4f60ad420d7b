import { type InvocationStatus, invocationStatuses } from "./invocationStatus";
import { isJsonObject } from "./json";

/** One past call as it is kept on disk, one file each. Never holds a Project Key. */
export interface InvocationRecord {
  /** The version of this shape. */
  readonly schema: 1;
  /** Names the record here; it is the name of its file, made of digits, letters and hyphens. */
  readonly id: string;
  /** When the call started, in milliseconds since 1970. */
  readonly startedAt: number;
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
  /** The input as it was typed. */
  readonly inputText: string;
  /** The output's JSON text as it was received. */
  readonly outputText?: string;
}

const idPattern = /^[0-9]{8,16}-[0-9a-z-]{4,40}$/;

/** Names a new record so that names sort by time: milliseconds, then something random. */
export function newRecordId(startedAt: number, random: string): string {
  return `${String(startedAt).padStart(14, "0")}-${random}`;
}

/** Tells whether a text is the name of a record, and so safe to use in a path. */
export function isRecordId(text: string): boolean {
  return idPattern.test(text);
}

/** Reads a record's file. Undefined where the text is damaged or of a shape this version does not know. */
export function readInvocationRecord(text: string): InvocationRecord | undefined {
  const value = parse(text);
  if (!isJsonObject(value) || value["schema"] !== 1) return undefined;
  const texts = ["id", "registry", "skillSlug", "version", "status", "inputText"] as const;
  if (texts.some((name) => typeof value[name] !== "string")) return undefined;
  if (!isTime(value["startedAt"]) || !Number.isFinite(value["durationMs"])) return undefined;
  const optionalTexts = ["invocationId", "mode", "code", "message", "currency", "outputText"];
  if (optionalTexts.some((name) => !["string", "undefined"].includes(typeof value[name]))) {
    return undefined;
  }
  if (!["number", "undefined"].includes(typeof value["amountCents"])) return undefined;
  const record = value as unknown as InvocationRecord;
  return isRecordId(record.id) && invocationStatuses.includes(record.status) ? record : undefined;
}

/** Writes a record as the text of its file. */
export function writeInvocationRecord(record: InvocationRecord): string {
  return `${JSON.stringify(record)}\n`;
}

function isTime(value: unknown): boolean {
  return typeof value === "number" && !Number.isNaN(new Date(value).getTime());
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
