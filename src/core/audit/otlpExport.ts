import { type InvocationStatus, outcomeOf } from "../invocation/outcome";
import type { Caller, InvocationRecord } from "../invocation/record/invocationRecord";
import type { JsonObject, JsonValue } from "../json/jsonValue";
import { builtInRegistryName } from "../registry/registryName";
import { oneLine } from "../text/plainText";
import type { AuditEvent, RefusedCall } from "./auditEvent";
import type { OtlpSignal } from "./otlpSettings";

/** The exporting program, and the attributes of its resource. */
interface OtlpSource {
  readonly version: string;
  /** The attributes of the resource, `service.name` among them. */
  readonly resource: Readonly<Record<string, string>>;
}

/**
 * Writes the body of a delivery in the JSON encoding of OTLP: events as spans (`ExportTraceServiceRequest`) or as log
 * records (`ExportLogsServiceRequest`), without payloads and outputs. Their IDs derive from the events' IDs, so that a
 * repeated delivery has the same IDs. `sha256` returns a digest in hex.
 */
export function otlpBody(
  signal: OtlpSignal,
  events: readonly AuditEvent[],
  { version, resource }: OtlpSource,
  sha256: (text: string) => string,
): JsonObject {
  const shared = { resource: { attributes: attributesOf(resource) } };
  const scope = { name: scopeName, version };
  const written = events.map((event) => ({
    ids: otlpIds(event.id, sha256, callerOf(event)),
    parent: readTraceparent(callerOf(event).traceparent ?? ""),
    facts:
      event.kind === "invocation" ? invocationFacts(event.record) : refusalFacts(event.refusal),
    attributes: attributesOf({
      ...toolFacts(event.id, event.kind === "invocation" ? event.record : event.refusal),
      ...callerFacts(callerOf(event)),
      ...(event.kind === "invocation" && recordFacts(event.record)),
    }),
  }));
  const spans = written.map(({ ids, parent, facts, attributes }) => ({
    ...ids,
    ...(parent !== undefined && { parentSpanId: parent.spanId }),
    name: `execute_tool ${facts.skill}`,
    kind: internalKind,
    startTimeUnixNano: nanoseconds(facts.start),
    endTimeUnixNano: nanoseconds(facts.end),
    attributes: [...attributes, ...attributesOf(facts.attributes)],
    status: { code: facts.severity === "ERROR" ? errorCode : 0 },
  }));
  if (signal === "traces") {
    return { resourceSpans: [{ ...shared, scopeSpans: [{ scope, spans }] }] };
  }
  const logRecords = written.map(({ ids, facts, attributes }) => ({
    timeUnixNano: nanoseconds(facts.end),
    observedTimeUnixNano: nanoseconds(facts.end),
    severityNumber: severityNumbers[facts.severity],
    severityText: facts.severity,
    eventName: facts.eventName,
    attributes: [...attributes, ...attributesOf(facts.attributes)],
    ...ids,
  }));
  return { resourceLogs: [{ ...shared, scopeLogs: [{ scope, logRecords }] }] };
}

const scopeName = "skill-registry";
const internalKind = 1;
const errorCode = 2;
const severityNumbers = { INFO: 9, WARN: 13, ERROR: 17 } as const;
/** The maximum number of characters of a text. */
const maxLength = 200;

/**
 * Returns the trace ID and span ID of an event, 16 and 8 bytes in hex. If the caller has a trace, the event belongs to
 * it.
 */
export function otlpIds(
  id: string,
  sha256: (text: string) => string,
  { traceparent = "" }: Pick<Caller, "traceparent"> = {},
): { readonly traceId: string; readonly spanId: string } {
  return {
    traceId: readTraceparent(traceparent)?.traceId ?? sha256(`trace:${id}`).slice(0, 32),
    spanId: sha256(`span:${id}`).slice(0, 16),
  };
}

/** Parses the `traceparent` of W3C Trace Context; undefined if it is invalid. */
export function readTraceparent(
  text: string,
): { readonly traceId: string; readonly spanId: string } | undefined {
  const [, version, traceId = "", spanId = ""] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(text) ?? [];
  const isNone = version === undefined || version === "ff" || /^0+$/.test(traceId);
  return isNone || /^0+$/.test(spanId) ? undefined : { traceId, spanId };
}

function callerOf(event: AuditEvent): Caller {
  return (event.kind === "invocation" ? event.record : event.refusal).caller;
}

/** The facts of an event for its span and its log record. Times are in milliseconds since 1970. */
interface EventFacts {
  readonly skill: string;
  readonly start: number;
  readonly end: number;
  readonly severity: keyof typeof severityNumbers;
  readonly eventName: "skill_registry.invocation" | "skill_registry.refusal";
  readonly attributes: Readonly<Record<string, string>>;
}

const severities: Readonly<Record<InvocationStatus, EventFacts["severity"]>> = {
  running: "INFO",
  success: "INFO",
  "not executed": "WARN",
  error: "ERROR",
  blocked: "WARN",
  refused: "WARN",
  "not sent": "WARN",
  cancelled: "WARN",
  "outcome unknown": "ERROR",
};

function invocationFacts(record: InvocationRecord): EventFacts {
  const { skillSlug, startedAt, durationMs, status, reason, code } = record;
  const isSuccess = outcomeOf(record).isSuccess;
  return {
    skill: text(skillSlug),
    start: startedAt,
    end: startedAt + Math.max(0, durationMs),
    severity: severities[status],
    eventName: "skill_registry.invocation",
    attributes: {
      "skill_registry.status": status,
      ...(!isSuccess && { "error.type": wordOr(code, wordOr(reason, status)) }),
    },
  };
}

function refusalFacts({ skill, at, code }: RefusedCall): EventFacts {
  const isReplayed = code === "replayed";
  return {
    skill: text(skill),
    start: at,
    end: at,
    severity: isReplayed ? "INFO" : "WARN",
    eventName: "skill_registry.refusal",
    attributes: {
      "skill_registry.status": isReplayed ? code : "notSent",
      ...(!isReplayed && { "error.type": wordOr(code, "refused") }),
    },
  };
}

type Facts = Readonly<Record<string, string | number | undefined>>;

function toolFacts(id: string, event: InvocationRecord | RefusedCall): Facts {
  return {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "skillSlug" in event ? event.skillSlug : event.skill,
    "gen_ai.tool.type": "extension",
    "gen_ai.tool.call.id": id,
    ...serverFacts(event.registry),
  };
}

function recordFacts(record: InvocationRecord): Facts {
  return {
    "skill_registry.version": wordOr(record.version),
    "skill_registry.contract_hash": wordOr(record.contractHash),
    "skill_registry.invocation_id": wordOr(record.invocationId),
    "skill_registry.ran": record.ran,
    "skill_registry.reason": wordOr(record.reason),
    "skill_registry.cost.expected_cents": record.expectedCents,
    "skill_registry.cost.expected_currency": wordOr(record.expectedCurrency),
    "skill_registry.cost.cents": record.amountCents,
    "skill_registry.cost.currency": wordOr(record.currency),
    "skill_registry.project": wordOr(record.projectSlug),
    "skill_registry.request_sha256": record.requestSha256,
    "skill_registry.response_sha256": record.responseSha256,
  };
}

function callerFacts({ kind, name, protocol }: Caller): Facts {
  return {
    ...(kind === "mcp" && {
      "mcp.method.name": "tools/call",
      "mcp.protocol.version": wordOr(protocol),
      "network.transport": "pipe",
    }),
    "skill_registry.caller.kind": kind,
    "skill_registry.caller.name": name,
  };
}

function serverFacts(registry: string): Facts {
  if (registry === builtInRegistryName) return { "server.address": builtInRegistryName };
  const [, scheme = "", host, port] =
    /^(https?):\/\/(\[[^\]]+\]|[^/:]+)(?::(\d+))?/.exec(registry) ?? [];
  const usual = scheme === "https" ? 443 : 80;
  return host === undefined
    ? {}
    : { "server.address": host, "server.port": port === undefined ? usual : Number(port) };
}

/** Writes attributes. Leaves out empty ones. */
function attributesOf(facts: Facts): JsonObject[] {
  return Object.entries(facts).flatMap(([key, value]) =>
    value === undefined || value === "" ? [] : [{ key, value: anyValue(value) }],
  );
}

/** Writes the value of an attribute. The protocol's JSON has 64-bit integers as strings. */
function anyValue(value: string | number): JsonValue {
  if (typeof value === "string") return { stringValue: text(value) };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

function text(value: string): string {
  return oneLine(value, maxLength);
}

/** Returns a code or an ID if it is a single word. Any other text may quote the payload. */
function wordOr(word: string | undefined, otherwise = ""): string {
  return word !== undefined && /^[A-Za-z0-9][A-Za-z0-9_.:+/-]{0,99}$/.test(word) ? word : otherwise;
}

function nanoseconds(milliseconds: number): string {
  const whole = Math.round(milliseconds);
  return whole > 0 ? `${whole}000000` : "0";
}
