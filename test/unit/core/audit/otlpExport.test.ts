import assert from "node:assert/strict";
import { JsonLogsSerializer, JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import { describe, it } from "mocha";
import {
  invocationEvent,
  type RefusedCall,
  refusalEvent,
} from "../../../../src/core/audit/auditEvent";
import { otlpBody, otlpIds } from "../../../../src/core/audit/otlpExport";
import { otlpSignals } from "../../../../src/core/audit/otlpSettings";
import type { InvocationRecord } from "../../../../src/core/invocation/record/invocationRecord";
import { sha256 } from "../../../../src/engine/sha256";
import { pastInvocation } from "../../../fixtures/pastInvocation";

const record: InvocationRecord = pastInvocation(1_764_070_000_000, {
  id: "01764070000000-0123456789abc",
  endsBefore: 1_764_070_120_000,
  registry: "https://registry.example:8443/prefix",
  skillSlug: "csv-profile",
  version: "2.0.0",
  status: "success",
  durationMs: 812,
  invocationId: "inv_1",
  projectSlug: "shop",
  amountCents: 5,
  currency: "USD",
  contractHash: "contract-v1:sha256-00",
  requestSha256: "aa",
  responseSha256: "bb",
  caller: { kind: "mcp", name: "probe", version: "1", protocol: "2025-11-25" },
  tool: "invoke_skill",
  agreement: "contract-v1:sha256-00",
});

const refusal: RefusedCall & { readonly id: string } = {
  id: "01764070001000-0123456789abd",
  at: 1_764_070_001_000,
  registry: "built-in",
  skill: "csv-profile",
  code: "notAllowed",
  caller: { kind: "chat" },
};

const source = { version: "1.2.3", resource: { "service.name": "skill-registry" } };
const events = [
  invocationEvent(record),
  invocationEvent({ ...record, id: "01764070000500-0123456789abe", status: "error", code: "E_1" }),
  refusalEvent(refusal),
];

/** The values of each event, in the order of the attributes. */
const expected = [
  {
    start: 1_764_070_000_000,
    end: 1_764_070_000_812,
    event: "skill_registry.invocation",
    severity: 9,
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "csv-profile",
      "gen_ai.tool.type": "extension",
      "gen_ai.tool.call.id": record.id,
      "server.address": "registry.example",
      "server.port": 8443,
      "mcp.method.name": "tools/call",
      "mcp.protocol.version": "2025-11-25",
      "network.transport": "pipe",
      "skill_registry.caller.kind": "mcp",
      "skill_registry.caller.name": "probe",
      "skill_registry.version": "2.0.0",
      "skill_registry.contract_hash": "contract-v1:sha256-00",
      "skill_registry.invocation_id": "inv_1",
      "skill_registry.ran": "yes",
      "skill_registry.cost.cents": 5,
      "skill_registry.cost.currency": "USD",
      "skill_registry.project": "shop",
      "skill_registry.request_sha256": "aa",
      "skill_registry.response_sha256": "bb",
      "skill_registry.status": "success",
    },
  },
  {
    start: 1_764_070_000_000,
    end: 1_764_070_000_812,
    event: "skill_registry.invocation",
    severity: 17,
    attributes: { "skill_registry.status": "error", "error.type": "E_1" },
  },
  {
    start: refusal.at,
    end: refusal.at,
    event: "skill_registry.refusal",
    severity: 13,
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "csv-profile",
      "gen_ai.tool.type": "extension",
      "gen_ai.tool.call.id": refusal.id,
      "server.address": "built-in",
      "skill_registry.caller.kind": "chat",
      "skill_registry.status": "notSent",
      "error.type": "notAllowed",
    },
  },
] as const;

/** Returns the attributes of each event; the second one's are the first one's with another end. */
function attributesAt(index: number): Record<string, string | number> {
  const own = expected[index]?.attributes ?? {};
  if (index !== 1) return { ...own };
  const { "skill_registry.status": _status, ...shared } = expected[0].attributes;
  const id = events[1]?.id ?? "";
  return { ...shared, ...own, "gen_ai.tool.call.id": id };
}

const severityTexts: Readonly<Record<number, string>> = { 9: "INFO", 13: "WARN", 17: "ERROR" };
const resource = {
  attributes: source.resource,
  asyncAttributesPending: false,
  getRawAttributes: () => Object.entries(source.resource),
};
const instrumentationScope = { name: "skill-registry", version: source.version };
const time = (milliseconds: number): [number, number] => [
  Math.floor(milliseconds / 1000),
  (milliseconds % 1000) * 1_000_000,
];
const contextOf = (id: string) => ({ ...otlpIds(id, sha256), traceFlags: 0 });

describe("the audit export", () => {
  it("writes spans as the official serializer does", () => {
    const spans = expected.map(({ start, end, severity }, index) => ({
      name: "execute_tool csv-profile",
      kind: 0,
      spanContext: () => contextOf(events[index]?.id ?? ""),
      startTime: time(start),
      endTime: time(end),
      status: { code: severity === 17 ? 2 : 0 },
      attributes: attributesAt(index),
      links: [],
      events: [],
      duration: time(end - start),
      ended: true,
      resource,
      instrumentationScope,
      droppedAttributesCount: 0,
      droppedEventsCount: 0,
      droppedLinksCount: 0,
    }));
    const theirs = JsonTraceSerializer.serializeRequest(
      spans as unknown as Parameters<typeof JsonTraceSerializer.serializeRequest>[0],
    );
    const ours = otlpBody("traces", events, source, sha256);
    assert.deepEqual(alike(ours), alike(parsed(theirs)));
  });

  it("writes log records as the official serializer does", () => {
    const records = expected.map(({ end, severity, event }, index) => ({
      hrTime: time(end),
      hrTimeObserved: time(end),
      spanContext: contextOf(events[index]?.id ?? ""),
      severityNumber: severity,
      severityText: severityTexts[severity],
      eventName: event,
      attributes: attributesAt(index),
      resource,
      instrumentationScope,
      droppedAttributesCount: 0,
    }));
    const theirs = JsonLogsSerializer.serializeRequest(
      records as unknown as Parameters<typeof JsonLogsSerializer.serializeRequest>[0],
    );
    const ours = otlpBody("logs", events, source, sha256);
    assert.deepEqual(alike(ours), alike(parsed(theirs)));
  });

  for (const [traceparent, expectedTrace] of [
    [`00-${"a".repeat(32)}-${"b".repeat(16)}-01`, "a".repeat(32)],
    [`00-${"0".repeat(32)}-${"b".repeat(16)}-01`, undefined],
    [`00-${"a".repeat(32)}-${"0".repeat(16)}-01`, undefined],
    [`ff-${"a".repeat(32)}-${"b".repeat(16)}-01`, undefined],
    [`00-${"A".repeat(32)}-${"b".repeat(16)}-01`, undefined],
    ["", undefined],
  ] as const) {
    it(`uses the client's span as parent if there is one: ${traceparent || "none"}`, () => {
      const caller = { kind: "mcp", traceparent } as const;
      const [traces, logs] = otlpSignals.map((signal) =>
        otlpBody(signal, [refusalEvent({ ...refusal, caller })], source, sha256),
      );
      const own = otlpIds(refusal.id, sha256);
      const traceId = `"traceId":"${expectedTrace ?? own.traceId}"`;
      for (const body of [traces, logs]) assert.ok(JSON.stringify(body).includes(traceId));
      const [, parent] = /"parentSpanId":"(\w+)"/.exec(JSON.stringify(traces)) ?? [];
      assert.equal(parent, expectedTrace && "b".repeat(16));
      assert.ok(JSON.stringify(traces).includes(`"spanId":"${own.spanId}"`));
    });
  }

  it("contains no words of a registry or an agent", () => {
    const marker = "MARKER and a sentence";
    const told = {
      ...record,
      status: "refused",
      code: marker,
      message: marker,
      reason: marker,
      agentReason: marker,
      profile: marker,
      mode: marker,
      version: marker,
      invocationId: marker,
      projectSlug: marker,
      currency: marker,
      policy: { reason: marker },
    } as unknown as InvocationRecord;
    const bodies = JSON.stringify(
      otlpSignals.map((signal) => otlpBody(signal, [invocationEvent(told)], source, sha256)),
    );
    assert.doesNotMatch(bodies, /MARKER/);
    assert.match(bodies, /"error.type","value":\{"stringValue":"refused"\}/);
  });

  it("truncates long texts and escapes hidden characters", () => {
    const caller = { kind: "mcp", name: `a\u202eb${"x".repeat(500)}` } as const;
    const traces = otlpBody("traces", [invocationEvent({ ...record, caller })], source, sha256);
    const [, name = ""] =
      /caller\.name","value":\{"stringValue":"([^"]*)"/.exec(JSON.stringify(traces)) ?? [];
    assert.equal([...JSON.parse(`"${name}"`)].length, 200);
    assert.doesNotMatch(name, /\u202e/);
  });
});

function parsed(bytes: Uint8Array | undefined): unknown {
  return JSON.parse(Buffer.from(bytes ?? []).toString("utf8"));
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/**
 * Normalizes a message: zero counters, empty lists, bodies and flags have no meaning, and an integer is a text or a
 * number.
 */
function alike(value: unknown): unknown {
  if (Array.isArray(value)) {
    const all = value.map(alike);
    const isAttributes = all.every(
      (one) => typeof one === "object" && one !== null && "key" in one,
    );
    const keyOf = (one: unknown) => (one as { key: string }).key;
    return isAttributes ? all.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)) : all;
  }
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(
    ([key, member]) =>
      key !== "flags" &&
      !(key === "body" && isEmpty(member)) &&
      !/^dropped/.test(key) &&
      !(Array.isArray(member) && member.length === 0),
  );
  return Object.fromEntries(
    members.map(([key, member]) => [key, key === "intValue" ? String(member) : alike(member)]),
  );
}
