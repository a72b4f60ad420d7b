import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "mocha";
import { AgentRefusals } from "../../../../src/agents/agentRefusals";
import {
  type AuditEvent,
  invocationEvent,
  writeAuditEvent,
} from "../../../../src/core/audit/auditEvent";
import { otlpIds } from "../../../../src/core/audit/otlpExport";
import { readOtlpSettings } from "../../../../src/core/audit/otlpSettings";
import type { InvocationRecord } from "../../../../src/core/invocation/record/invocationRecord";
import { KeyRedactor } from "../../../../src/core/registry/redactSecrets";
import type { LocalizableText } from "../../../../src/core/text/language";
import { AuditExport } from "../../../../src/engine/audit/auditExport";
import { rejectedFolder } from "../../../../src/engine/files/machine";
import { sha256 } from "../../../../src/engine/sha256";
import type { OpenedStore } from "../../../../src/engine/store/operations";
import { thisProgram } from "../../../../src/engine/store/program";
import { postToCollector } from "../../../../src/registry/routes/postToCollector";
import { atStore, atTables, openTestStore, startSame } from "../../../fixtures/machineStore";
import { httpAnswer, type RawServer, startRawServer } from "../../../fixtures/network/rawServer";
import { pastInvocation } from "../../../fixtures/pastInvocation";
import { plainNetwork } from "../../../fixtures/registries/clientFor";
import { agreeingAsker, payloadOf, testEngine, wantedOnce } from "../../../fixtures/testEngine";

const key = "skh_0123456789abcdef";
const taken = httpAnswer(200, "{}");
const take = (socket: Socket) => socket.write(taken);

/** The ways in which a receiver misbehaves with a request. */
const failures: Readonly<Record<string, (socket: Socket) => unknown>> = {
  "drops the connection": (socket) => socket.resetAndDestroy(),
  "truncates its response": (socket) =>
    socket.write("HTTP/1.1 200 OK\r\ncontent-le", () => socket.destroy()),
  "requests a wait": (socket) => socket.write(httpAnswer(503, "", { "retry-after": "9" })),
  "is overloaded": (socket) => socket.write(httpAnswer(429, "")),
  "cannot reach its own backend": (socket) => socket.write(httpAnswer(502, "")),
};

function eventAt(index: number, changes: Partial<InvocationRecord> = {}): AuditEvent {
  const id = `0176407000000${index}-0123456789abc`;
  return invocationEvent(
    pastInvocation(1_764_070_000_000 + index, {
      id,
      endsBefore: 1_764_070_120_000,
      registry: "https://registry.example",
      skillSlug: "csv-profile",
      version: "2.0.0",
      status: "success",
      durationMs: 5,
      ...changes,
    }),
  );
}

describe("the outbox of the audit export", () => {
  let folder: string;
  let receiver: RawServer | undefined;
  const programs: AuditExport[] = [];
  const stores: OpenedStore[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "audit-"));
  });
  afterEach(async () => {
    for (const program of programs.splice(0)) await program.finish(0);
    for (const { close } of stores.splice(0)) await close();
    await receiver?.close();
    receiver = undefined;
    await rm(folder, { recursive: true, force: true });
  });

  /**
   * Starts a program of this machine that exports to the receiver, or to an address without a listener if there is
   * none.
   */
  function program(
    reports: LocalizableText[] = [],
    env: Readonly<Record<string, string>> = {},
  ): AuditExport {
    const reading = readOtlpSettings(env, receiver?.baseUrl ?? "http://127.0.0.1:9");
    assert.equal(reading.kind, "on");
    const redactor = new KeyRedactor(key);
    const opened = openTestStore(folder);
    stores.push(opened);
    const started = new AuditExport({
      store: opened.store,
      folder: rejectedFolder(folder),
      version: "1",
      settings: () => (reading.kind === "on" ? reading.settings : undefined),
      post: (target, body, signal) => postToCollector(target, body, plainNetwork, signal),
      redact: (text) => redactor.redact(text),
      report: (problem) => reports.push(problem),
    });
    programs.push(started);
    return started;
  }

  async function deliverOnce(
    reports: LocalizableText[] = [],
    env: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const started = program(reports, env);
    started.wake();
    await started.finish(30_000);
  }

  /** Resolves to the IDs of the waiting events, including those of running invocations. */
  const left = () =>
    atTables(folder, (database) =>
      database
        .prepare("SELECT id FROM outbox ORDER BY id")
        .all()
        .map(({ id }) => String(id)),
    );
  const noteAll = (events: readonly AuditEvent[]) =>
    atStore(folder, (store) =>
      Promise.all(events.map((event) => store.noteEvent(event.id, writeAuditEvent(event)))),
    );

  for (const [name, misbehave] of Object.entries(failures)) {
    it(`loses nothing and keeps IDs if the receiver ${name}`, async () => {
      const events = [eventAt(1), eventAt(2), eventAt(3)];
      for (const event of events) {
        const dying = program();
        await dying.note(event);
        await dying.finish(0);
      }
      let count = 0;
      // Each delivery sends the spans and the log records. One of the two fails, then that one again.
      receiver = await startRawServer((socket) => {
        count += 1;
        return count === 1 || count === 3 ? misbehave(socket) : take(socket);
      });
      for (const waiting of [3, 3, 0]) {
        await deliverOnce();
        assert.equal((await left()).length, waiting);
      }
      const expected = events.map(({ id }) => otlpIds(id, sha256).spanId).sort();
      const requests = receiver.requests.map(spanIdsIn);
      assert.equal(requests.length, 4);
      for (const ids of requests) assert.deepEqual(ids, expected);
    });
  }

  it("keeps events while nobody listens, and sends them later", async () => {
    const first = program();
    await first.note(eventAt(1));
    await first.finish(30_000);
    assert.equal((await left()).length, 1);
    receiver = await startRawServer(take);
    await deliverOnce();
    assert.deepEqual(await left(), []);
  });

  it("delays nobody if the receiver never responds", async () => {
    receiver = await startRawServer(() => undefined);
    const started = program();
    await started.note(eventAt(1));
    await started.note(eventAt(2));
    assert.equal((await left()).length, 2);
  });

  it("sends an invocation of a dead program with an unknown outcome", async () => {
    const dead = openTestStore(folder, { self: { ...thisProgram(), pid: 2 ** 30 } });
    stores.push(dead);
    const called = { registry: "built-in", skillSlug: "text-stats", version: "1.0.0" };
    const record = await startSame(dead.store, { ...called, inputText: "{}" }, 60_000);
    await program().note(invocationEvent(record));
    for (const one of programs) await one.finish(30_000);
    receiver = await startRawServer(take);
    await deliverOnce();
    assert.match(receiver.requests[0] ?? "", /"outcome unknown"/);
    assert.deepEqual(spanIdsIn(receiver.requests[0] ?? ""), [otlpIds(record.id, sha256).spanId]);
  });

  it("keeps a running invocation until it has ended", async () => {
    receiver = await startRawServer(take);
    const started = program();
    const running = {
      status: "running",
      pid: process.pid,
      endsBefore: Date.now() + 60_000,
    } as const;
    await started.note(eventAt(1, running));
    await deliverOnce();
    assert.equal(receiver.requests.length, 0);
    await started.note(eventAt(1));
    await started.finish(30_000);
    await deliverOnce();
    assert.deepEqual(await left(), []);
    assert.match(receiver.requests[0] ?? "", /"success"/);
  });

  it("sends an end that arrived while an earlier state was sent", async () => {
    let later: Promise<void> | undefined;
    const noting = program();
    receiver = await startRawServer((socket) => {
      later ??= noting.note(eventAt(1, { status: "error" }));
      void later.then(() => take(socket));
    });
    await noting.finish(0);
    await noting.note(eventAt(1, { status: "outcome unknown" }));
    await deliverOnce();
    await deliverOnce();
    assert.match(receiver.requests.join("\n"), /"error"/);
    assert.deepEqual(await left(), []);
  });

  it("leaves unreadable events to the version that wrote them, and sends the others", async () => {
    receiver = await startRawServer(take);
    await atStore(folder, (store) => store.noteEvent(eventAt(1).id, '{"format":99}'));
    await program().note(eventAt(2));
    for (const one of programs) await one.finish(30_000);
    assert.equal(receiver.requests.length, 2);
    assert.deepEqual(await left(), [eventAt(1).id]);
  });

  /** Rejects requests with one of these events, and accepts all others. */
  const rejecting = (status: number, bad: readonly AuditEvent[]) => {
    const ids = bad.map(({ id }) => otlpIds(id, sha256).spanId);
    return (socket: Socket, request: string) =>
      socket.write(
        ids.some((id) => request.includes(id)) ? httpAnswer(status, "") : httpAnswer(200, "{}"),
      );
  };

  for (const status of [400, 413, 422, 500]) {
    it(`sets aside and names the entry that a receiver rejects with ${status}, and sends all others once`, async () => {
      const reports: LocalizableText[] = [];
      const events = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((index) => eventAt(index));
      await noteAll(events);
      const [bad, ...good] = events;
      assert.ok(bad !== undefined);
      receiver = await startRawServer(rejecting(status, [bad]));
      await deliverOnce(reports);
      assert.deepEqual(await left(), []);
      const [text] = await readFilesIn(rejectedFolder(folder));
      assert.equal(text, writeAuditEvent(bad));
      assert.deepEqual(
        reports.map(({ values }) => values),
        // Its span and its log record.
        Array(2).fill({ count: 1, status: String(status), files: `rejected/${bad.id}.json` }),
      );
      const spans = receiver.requests.filter((one) => one.startsWith("POST /v1/traces"));
      for (const { id } of good) {
        const { spanId } = otlpIds(id, sha256);
        const own: string[] = spans.filter(
          (one) => one.includes(spanId) && !one.includes(otlpIds(bad.id, sha256).spanId),
        );
        assert.equal(own.length, 1);
      }
    });
  }

  for (const [refused, taken] of [
    ["logs", "traces"],
    ["traces", "logs"],
  ] as const) {
    it(`sends ${taken} once, also of later programs, while the receiver rejects ${refused}`, async () => {
      const events = [eventAt(1), eventAt(2)];
      await noteAll(events);
      receiver = await startRawServer((socket, request) =>
        socket.write(httpAnswer(request.startsWith(`POST /v1/${refused}`) ? 404 : 200, "")),
      );
      const reports: LocalizableText[] = [];
      await deliverOnce(reports);
      await deliverOnce();
      await noteAll([eventAt(3)]);
      await deliverOnce();
      const sent = receiver.requests.filter((one) => one.startsWith(`POST /v1/${taken}`));
      const ids = [...events, eventAt(3)].map(({ id }) => otlpIds(id, sha256).spanId);
      assert.deepEqual(sent.flatMap(spanIdsIn), ids);
      assert.deepEqual([(await left()).length, reports.length], [3, 1]);
      // Without the signal, nothing waits for it any more.
      const off = { [`OTEL_${refused.toUpperCase()}_EXPORTER`]: "none" };
      await deliverOnce([], off);
      assert.deepEqual(await left(), []);
    });
  }

  it("sets nothing aside, and reports once for each signal, if the receiver accepts nothing at all", async () => {
    const reports: LocalizableText[] = [];
    receiver = await startRawServer((socket) => socket.write(httpAnswer(500, "")));
    await noteAll([1, 2, 3, 4, 5].map((index) => eventAt(index)));
    const started = program(reports);
    started.wake();
    await started.finish(30_000);
    assert.deepEqual(
      reports.map(({ values }) => values),
      [{ status: "500" }, { status: "500" }],
    );
    // For each signal, requests with 5, 3, 2 and 1 of them, and one with the next.
    assert.equal(receiver.requests.length, 10);
    assert.equal((await left()).length, 5);
  });

  it("reports how many entries of a delivery were rejected, keeps all of them, and sends none again", async () => {
    const reports: LocalizableText[] = [];
    receiver = await startRawServer((socket) =>
      socket.write(httpAnswer(200, '{"partialSuccess":{"rejectedSpans":"1"}}')),
    );
    await program(reports).note(eventAt(1));
    for (const one of programs) await one.finish(30_000);
    assert.deepEqual(
      reports.map(({ values }) => values),
      Array(2).fill({ count: 1, sent: 1, files: `rejected/${eventAt(1).id}.json` }),
    );
    assert.deepEqual(await left(), []);
    assert.deepEqual(await readFilesIn(rejectedFolder(folder)), [writeAuditEvent(eventAt(1))]);
    assert.equal(receiver.requests.length, 2);
  });

  it("contains no key, payload or output of an invocation", async () => {
    receiver = await startRawServer(take);
    const audit = program();
    let notedBefore: readonly string[] = [];
    const { engine, history } = testEngine(folder, { audit }, async () => {
      notedBefore = await left();
      return {
        kind: "success",
        acceptedNotRun: false,
        outputText: '"OUTPUT-MARKER"',
        durationMs: 1,
      };
    });
    const wanted = {
      ...wantedOnce,
      caller: { kind: "commandLine", name: `probe ${key}` },
    } as const;
    const never = new AbortController().signal;
    const ending = await engine.invoke(
      wanted,
      payloadOf('"PAYLOAD-MARKER"'),
      agreeingAsker(),
      never,
    );
    assert.equal(ending.kind, "sent");
    // Its start was stored before sending, since the program might die then.
    assert.equal(notedBefore.length, 1);
    await audit.finish(30_000);
    await deliverOnce();
    history.dispose();
    const sent = receiver.requests.join("\n");
    assert.equal(receiver.requests.length, 2);
    assert.match(sent, /execute_tool csv-profile/);
    assert.doesNotMatch(sent, new RegExp(`MARKER|${key}`));
  });

  it("contains every refusal, however many are listed", async () => {
    const { store, close } = openTestStore(folder);
    const refused = { registry: "built-in", skill: "csv-profile", code: "notAllowed" } as const;
    const caller = { kind: "mcp" } as const;
    const others = new AgentRefusals(store);
    const before = Array.from({ length: 499 }, () => ({ ...refused, at: 1, caller }));
    await Promise.all(before.map((one) => others.note(one)));
    const refusals = new AgentRefusals(store, program());
    for (const at of [2, 3, 4]) await refusals.note({ ...refused, at, caller });
    const listed = await refusals.list();
    await close();
    assert.deepEqual([listed.length, listed.at(-1)?.at], [500, 4]);
    for (const one of programs) await one.finish(30_000);
    receiver = await startRawServer(take);
    await deliverOnce();
    const ids = receiver.requests.flatMap(spanIdsIn);
    assert.equal(new Set(ids).size, 3);
    assert.deepEqual(await left(), []);
  });
});

async function readFilesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder);
  return Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
}

/** Returns the IDs of the spans, or of the log records' spans, in a request. */
function spanIdsIn(request: string): string[] {
  return [...request.matchAll(/"spanId":"([0-9a-f]{16})"/g)].map(([, id = ""]) => id).sort();
}
