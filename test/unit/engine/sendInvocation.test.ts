import assert from "node:assert/strict";
import { once } from "node:events";
import { afterEach, describe, it } from "mocha";
import type { InvocationRecord } from "../../../src/core/invocation/record/invocationRecord";
import {
  type InvocationTraces,
  type ReadyInvocation,
  sendInvocation,
} from "../../../src/engine/sendInvocation";
import type { RegistryClient } from "../../../src/registry/registryClient";
import { clientFor } from "../../fixtures/registries/clientFor";
import {
  type Answer,
  startTestRegistry,
  type TestRegistry,
} from "../../fixtures/registries/testRegistry";
import { noAudit } from "../../fixtures/testEngine";

const key = "skh_0123456789abcdef";
const success = { body: { status: "success", invocationId: "i", output: [1] } };

/** What happens to an invocation after it was recorded as running, and how its record ends. */
interface Course {
  /** It is answered as a success where this is left out. */
  readonly answer?: () => Answer;
  readonly status: InvocationRecord["status"];
  /** Nothing but the timeout ends it, which is long for all others, however busy the machine is. */
  readonly timesOut?: true;
  /** Done as soon as the registry has the request. */
  readonly meanwhile?: (parts: { client: RegistryClient; cancel: AbortController }) => void;
  readonly traces?: Partial<Record<keyof InvocationTraces, object>>;
  readonly client?: (client: RegistryClient) => object;
}

const closed = () => {
  throw new Error("Channel has been closed");
};
/** A ledger that notes at which status it settles an invocation; what it costs was reserved before. */
const ledgerOf = (counted: string[]) => ({
  settle: async ({ status }: InvocationRecord) => counted.push(status),
});
const unwritable = { write: closed, noteFailure: closed };
const courses: Readonly<Record<string, Course>> = {
  "it is answered": { status: "success" },
  "the registry never answers": {
    answer: () => "never",
    status: "outcome unknown",
    timesOut: true,
  },
  "the registry goes away before its answer": {
    answer: () => "lost",
    status: "outcome unknown",
  },
  "the registry goes away in the middle of the body": {
    answer: () => ({ ...success, isCut: true }),
    status: "outcome unknown",
  },
  "the body never ends": {
    answer: () => ({ body: withoutEnd() }),
    status: "outcome unknown",
    timesOut: true,
  },
  "the body cannot be decoded": {
    answer: () => ({ headers: { "content-encoding": "gzip" }, body: "no gzip at all" }),
    status: "outcome unknown",
  },
  "the body is larger than it may be": {
    answer: () => ({ body: "x".repeat(2_000_000) }),
    status: "outcome unknown",
  },
  "the body is no JSON": {
    answer: () => ({ body: "<html>" }),
    status: "outcome unknown",
  },
  "the user cancels while the registry works": {
    answer: () => "never",
    meanwhile: ({ cancel }) => cancel.abort(),
    status: "outcome unknown",
  },
  "the user cancels in the middle of the body": {
    answer: () => ({ body: withoutEnd() }),
    meanwhile: ({ cancel }) => setTimeout(() => cancel.abort(), 20),
    status: "outcome unknown",
  },
  "the window closes its client while the registry works": {
    answer: () => "never",
    meanwhile: ({ client }) => client.close(),
    status: "outcome unknown",
  },
  "the window closes its client in the middle of the body": {
    answer: () => ({ body: withoutEnd() }),
    meanwhile: ({ client }) => setTimeout(() => client.close(), 20),
    status: "outcome unknown",
  },
  "reading the answer fails in a way nobody thought of": {
    client: (client) => ({
      invoke: async (...all: Parameters<RegistryClient["invoke"]>) => {
        await client.invoke(...all);
        throw new RangeError("Invalid string length");
      },
    }),
    status: "outcome unknown",
  },
  "the client throws at once": {
    client: () => ({ invoke: () => closed() }),
    status: "outcome unknown",
  },
  "the editor has closed the channels": {
    traces: { channels: unwritable },
    status: "success",
  },
  "everything fails at once": {
    client: () => ({ invoke: () => closed() }),
    traces: { channels: unwritable },
    status: "outcome unknown",
  },
};

/** The beginning of an answer, and nothing after it. */
async function* withoutEnd(): AsyncGenerator<string> {
  yield '{"status":';
  await new Promise(() => undefined);
}

describe("the record of an invocation", () => {
  let server: TestRegistry | undefined;
  let client: RegistryClient | undefined;
  afterEach(async () => {
    client?.close();
    await server?.close();
  });

  for (const [name, course] of Object.entries(courses)) {
    it(`ends as "${course.status}" where ${name}`, async () => {
      const cancel = new AbortController();
      const counted: string[] = [];
      const countedBefore: string[] = [];
      server = await startTestRegistry({
        "**": () => {
          countedBefore.push(...counted);
          if (client !== undefined) course.meanwhile?.({ client, cancel });
          return course.answer?.() ?? success;
        },
      });
      client = clientFor(server.baseUrl, { invokeTimeoutSeconds: course.timesOut ? 0.5 : 60 });
      const records: InvocationRecord[] = [];
      let ended: (record: InvocationRecord) => void = () => undefined;
      const end = new Promise<InvocationRecord>((resolve) => {
        ended = resolve;
      });
      const history = {
        end: () => undefined,
        keep: async (record: InvocationRecord) => {
          records.push(record);
          if (record.status !== "running") ended(record);
        },
      };
      const traces = {
        history,
        channels: { write: () => undefined, noteFailure: () => undefined },
        audit: noAudit,
        keeping: { decided: () => false },
        clocks: { noteOutcome: async () => 0 },
        ledger: ledgerOf(counted),
        ...course.traces,
      } as unknown as InvocationTraces;
      const ready = {
        id: "00000000000001-0a1b2c3d",
        caller: { kind: "person" },
        registry: { baseUrl: server.baseUrl, client: course.client?.(client) ?? client },
        invocation: { skillSlug: "text-stats", version: "1.0.0", inputText: "{}" },
        sender: { kind: "projectKey", key },
        scope: { registry: server.baseUrl, project: "p", skillSlug: "text-stats" },
        longestMs: 10_500,
        contractHash: "",
        payload: "untitled:/a/text-stats.skill-input.json",
        mayLeave: () => true,
        started: () => undefined,
        ended: () => undefined,
        sentAt: Date.now(),
      } as unknown as ReadyInvocation;
      const sent = await sendInvocation(ready, traces, cancel.signal);
      const record = await end;
      assert.ok(sent !== "notRecorded");
      assert.deepEqual(
        records.map(({ status }) => status),
        ["running", course.status],
      );
      assert.deepEqual([countedBefore, counted], [[], [course.status]]);
      assert.equal(sent.record.status, course.status);
      assert.equal(record.endsBefore, record.startedAt + 10_500);
      assert.equal(record.pid, undefined);
    });
  }

  it("begins before anything is sent, and nothing is where that fails", async () => {
    let requests = 0;
    const traces = { keeping: { decided: () => false }, history: { keep: async () => true } };
    const disk = new AbortController();
    const ready = {
      invocation: { skillSlug: "text-stats", version: "1.0.0", inputText: "{}" },
      sender: { kind: "projectKey", key },
      scope: { registry: "https://registry.example" },
      registry: { client: { invoke: () => requests++ } },
      caller: { kind: "script", command: "run" },
      payload: "file:///inputs.jsonl#1",
      mayLeave: () => true,
      started: () => once(disk.signal, "abort").then(() => assert.fail("The disk is full.")),
    } as unknown as ReadyInvocation;
    const { signal } = new AbortController();
    const sending = sendInvocation(ready, traces as unknown as InvocationTraces, signal);
    await new Promise(setImmediate);
    disk.abort();
    await assert.rejects(sending, /disk is full/);
    assert.equal(requests, 0);
  });

  it("says of a test run that it is one, and names its project and no token", async () => {
    const token = `shub_user_${"0123456789abcdef".repeat(4)}`;
    const blocks: string[] = [];
    const records: InvocationRecord[] = [];
    const paths: string[] = [];
    const counted: string[] = [];
    const traces = {
      history: {
        end: () => undefined,
        keep: async (record: InvocationRecord, texts: object) => {
          records.push(record);
          assert.ok(!JSON.stringify([record, texts]).includes(token));
        },
      },
      channels: {
        write: (block: string) => blocks.push(block),
        noteFailure: (text: string) => paths.push(text),
      },
      audit: noAudit,
      keeping: { decided: () => true },
      clocks: { noteOutcome: async () => 0 },
      ledger: ledgerOf(counted),
    } as unknown as InvocationTraces;
    const testRun = async (_: unknown, target: { project: string }) => ({
      kind: "skillError",
      durationMs: 3,
      mode: "console_test",
      message: target.project,
    });
    const origin = "http://registry.test";
    const ready = {
      id: "00000000000001-0a1b2c3d",
      caller: { kind: "person" },
      registry: { baseUrl: origin, client: { testRun } },
      invocation: { skillSlug: "text-stats", version: "1.0.0", inputText: `{"text":"${token}"}` },
      sender: {
        kind: "testRun",
        target: { project: "demo", token: { kind: "userToken", origin, text: token } },
      },
      scope: { registry: origin, project: "p", skillSlug: "text-stats" },
      longestMs: 1,
      payload: "file:///home/ida/secret-customer/text-stats.skill-input.json",
      mayLeave: () => true,
      started: () => undefined,
      ended: () => undefined,
      sentAt: 0,
    } as unknown as ReadyInvocation;
    const sent = await sendInvocation(ready, traces, new AbortController().signal);
    assert.ok(sent !== "notRecorded");
    const { record } = sent;
    assert.deepEqual(
      records.map(({ status, kind, projectSlug }) => [status, kind, projectSlug]),
      [
        ["running", "testRun", "demo"],
        ["error", "testRun", "demo"],
      ],
    );
    assert.deepEqual(counted, ["error"]);
    // Of the payload's document it holds a digest, so that an export names no folder.
    assert.match(record.payloadId ?? "", /^[0-9a-f]{16}$/);
    assert.equal(record.message, "demo");
    assert.match(blocks.join(), /Note: test run/);
    assert.match(
      paths.join(),
      /^POST http:\/\/registry\.test\/v1\/projects\/demo\/runtime\/test: /,
    );
  });

  it("gets its texts when the user says so, and is not kept anew by that", async () => {
    const done: string[] = [];
    let agree: (keep: boolean) => void = () => undefined;
    const answer = new Promise<boolean>((resolve) => {
      agree = resolve;
    });
    let hasTexts: () => void = () => undefined;
    const end = new Promise<void>((resolve) => {
      hasTexts = resolve;
    });
    const traces = {
      history: {
        end: () => undefined,
        keep: async ({ status }: InvocationRecord, _: object, keepTexts: boolean) => {
          done.push(`keep ${status} ${keepTexts}`);
          if (keepTexts) hasTexts();
        },
        keepTexts: async ({ status }: InvocationRecord) => {
          done.push(`keep texts ${status}`);
          hasTexts();
        },
      },
      channels: { write: () => undefined, noteFailure: () => undefined },
      audit: noAudit,
      keeping: { decided: () => undefined, ask: () => answer },
      clocks: { noteOutcome: async () => 0 },
      ledger: ledgerOf([]),
    } as unknown as InvocationTraces;
    const invoke = async () => ({ kind: "success", durationMs: 3, outputText: "[1]" });
    const ready = {
      id: "00000000000001-0a1b2c3d",
      caller: { kind: "person" },
      registry: { baseUrl: "http://registry.test", client: { invoke } },
      invocation: { skillSlug: "text-stats", version: "1.0.0", inputText: "{}" },
      sender: { kind: "projectKey", key },
      scope: { registry: "http://registry.test", project: "p", skillSlug: "text-stats" },
      longestMs: 1,
      payload: "untitled:/a/text-stats.skill-input.json",
      mayLeave: () => true,
      started: () => undefined,
      ended: () => undefined,
      sentAt: 0,
    } as unknown as ReadyInvocation;
    await sendInvocation(ready, traces, new AbortController().signal);
    agree(true);
    await end;
    assert.deepEqual(done, ["keep running false", "keep success false", "keep texts success"]);
  });

  it("tells how it ended before the disk has that, which may take for ever", async () => {
    const told: string[] = [];
    let keeps = 0;
    const traces = {
      history: {
        end: ({ status }: InvocationRecord) => told.push(`noted ${status}`),
        keep: () => {
          keeps += 1;
          return keeps === 1 ? Promise.resolve() : new Promise<void>(() => undefined);
        },
      },
      channels: { write: () => undefined, noteFailure: () => undefined },
      audit: noAudit,
      keeping: { decided: () => true },
      clocks: { noteOutcome: async () => 0 },
      ledger: ledgerOf([]),
    } as unknown as InvocationTraces;
    const invoke = async () => ({ kind: "success", durationMs: 3, outputText: "[1]" });
    await new Promise<void>((ended) => {
      const ready = {
        id: "00000000000001-0a1b2c3d",
        caller: { kind: "person" },
        registry: { baseUrl: "http://registry.test", client: { invoke } },
        invocation: { skillSlug: "text-stats", version: "1.0.0", inputText: "{}" },
        sender: { kind: "projectKey", key },
        scope: { registry: "http://registry.test", project: "p", skillSlug: "text-stats" },
        longestMs: 1,
        payload: "untitled:/a/text-stats.skill-input.json",
        mayLeave: () => true,
        started: () => undefined,
        ended: ({ status }: InvocationRecord, { kind }: { kind: string }) => {
          told.push(`shown ${status} ${kind}`);
          ended();
        },
        sentAt: 0,
      } as unknown as ReadyInvocation;
      void sendInvocation(ready, traces, new AbortController().signal);
    });
    assert.deepEqual(told, ["noted success", "shown success success"]);
  });
});
