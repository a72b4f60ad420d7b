import type { AgentRefusalCode } from "../agents/gates/agentRefusal";
import { isOver } from "../invocation/outcome";
import {
  type Caller,
  type InvocationRecord,
  isRecordId,
  readWrittenRecord,
  withPresumedEnd,
} from "../invocation/record/invocationRecord";
import { isJsonObject, parsedJson } from "../json/jsonValue";

/** An agent's invocation that was refused. Neither its payload nor the agent's reason is stored. */
export interface RefusedCall {
  /** Its ID, like that of a record; missing for a refusal that is not exported. */
  readonly id?: string;
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly registry: string;
  readonly skill: string;
  readonly code: AgentRefusalCode | "replayed";
  readonly caller: Caller;
}

/** An event to export once: the record of an invocation, or a refusal, with its ID. */
export type AuditEvent =
  | { readonly kind: "invocation"; readonly id: string; readonly record: InvocationRecord }
  | { readonly kind: "refusal"; readonly id: string; readonly refusal: RefusedCall };

/** Creates the event of an invocation. Leaves out texts that a registry or an agent wrote. */
export function invocationEvent(record: InvocationRecord): AuditEvent {
  const { message: _message, agentReason: _reason, policy: _policy, ...facts } = record;
  return { kind: "invocation", id: record.id, record: facts };
}

/** Creates the event of a refusal that has an ID. */
export function refusalEvent(refusal: RefusedCall & { readonly id: string }): AuditEvent {
  return { kind: "refusal", id: refusal.id, refusal };
}

/** Writes an event as text. */
export function writeAuditEvent(event: AuditEvent): string {
  return `${JSON.stringify(event.kind === "invocation" ? event.record : event.refusal)}\n`;
}

/**
 * Parses an event. Returns `running` if its invocation has no end yet, and undefined if the text is damaged or of a
 * newer version. The outcome is unknown if the program of the invocation has ended, or if the invocation should have
 * ended by `now`.
 */
export function readAuditEvent(
  text: string,
  now: number,
  hasEnded: () => boolean,
): AuditEvent | "running" | undefined {
  const written = readWrittenRecord(text);
  if (written === "newer") return undefined;
  if (written === undefined) return readRefusal(text);
  const record = withPresumedEnd(written, now, hasEnded);
  return isOver(record) ? invocationEvent(record) : "running";
}

function readRefusal(text: string): AuditEvent | undefined {
  const value: unknown = parsedJson(text);
  if (!isRefusedCall(value) || value.id === undefined) return undefined;
  return refusalEvent({ ...value, id: value.id });
}

/** Returns whether a stored value is a refusal. */
export function isRefusedCall(value: unknown): value is RefusedCall {
  if (!isJsonObject(value)) return false;
  const { id, at, registry, skill, code, caller } = value;
  return (
    (id === undefined || (typeof id === "string" && isRecordId(id))) &&
    typeof at === "number" &&
    [registry, skill, code].every((item) => typeof item === "string") &&
    isJsonObject(caller) &&
    typeof caller["kind"] === "string"
  );
}
