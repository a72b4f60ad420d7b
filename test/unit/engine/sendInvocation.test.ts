import assert from "node:assert/strict";
import { once } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, describe, it } from "mocha";
import { runningFacts } from "../../../src/core/invocation/outcome";
import type { InvocationRecord } from "../../../src/core/invocation/record/invocationRecord";
import {
  endOf,
  type InvocationTraces,
  type ReadyInvocation,
  sendInvocation,
} from "../../../src/engine/sendInvocation";
import type { RegistryClient } from "../../../src/registry/registryClient";
import { pastInvocation } from "../../fixtures/pastInvocation";
import { clientFor } from "../../fixtures/registries/clientFor";
import {
  type Answer,
  startTestRegistry,
  type TestRegistry,
} from "../../fixtures/registries/testRegistry";
import { noAudit, ranOnce } from "../../fixtures/testEngine";

const key = "skh_0123456789abcdef";
const success = { body: { status: "success", invocationId: "i", output: [1] } };

/** What happens to an invocation after its start was recorded, and the resulting end of its record. */
interface Course {
  /** The response. Default: a success. */
  readonly answer?: () => Answer;
  readonly status: InvocationRecord["status"];
  /** Set if only the timeout ends it. For all others the timeout is long, however busy the machine is. */
  readonly timesOut?: true;
  /** Called as soon as the registry has the request. */
  readonly meanwhile?: (parts: { client: RegistryClient; cancel: AbortController }) => void;
  readonly traces?: Partial<Record<keyof InvocationTraces, object>>;
  readonly client?: (client: RegistryClient) => object;
}

const closed = () => {
  throw new Error("Channel has been closed");
};
/** Returns a person's invocation that was recorded as running a moment ago. */
const running = (registry: string): InvocationRecord => ({
  ...pastInvocation(Date.now(), { registry, skillSlug: "text-stats", version: "1.0.0" }),
  ...runningFacts,
});
const sendingOf = (registry: string) => ({
  sender: { kind: "projectKey", key },
  scope: { registry, project: "p", skillSlug: "text-stats" },
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

/** Yields the beginning of a response, and never ends. */
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
    it(`ends as "${course.status}" if ${name}`, async () => {
      const cancel = new AbortController();
      server = await startTestRegistry({
        "**": () => {
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
        ending: () => undefined,
        end: async ({ record }: { record: InvocationRecord }) => {
          records.push(record);
          ended(record);
          return 0;
        },
      };
      const traces = {
        history,
        channels: { write: () => undefined, noteFailure: () => undefined },
        audit: noAudit,
        keeping: { mayKeep: () => false },
        ...course.traces,
      } as unknown as InvocationTraces;
      const ready = {
        record: running(server.baseUrl),
        registry: { baseUrl: server.baseUrl, client: course.client?.(client) ?? client },
        invocation: { skillSlug: "text-stats", version: "1.0.0", inputText: "{}" },
        sending: sendingOf(server.baseUrl),
        inputText: "{}",
        maySend: () => true,
        started: () => undefined,
        ended: () => undefined,
      } as unknown as ReadyInvocation;
      const sent = await sendInvocation(ready, traces, cancel.signal);
      await end;
      assert.deepEqual(
        records.map(({ status }) => status),
        [course.status],
      );
      assert.equal(sent.record.status, course.status);
    });
  }

  it("is written before sending, and nothing is sent if that fails", async () => {
    let requests = 0;
    const traces = { keeping: { mayKeep: () => false } };
    const disk = new AbortController();
    const ready = {
      record: running("https://registry.example"),
      invocation: { skillSlug: "text-stats", version: "1.0.0", inputText: "{}" },
      sending: sendingOf("https://registry.example"),
      registry: { client: { invoke: () => requests++ } },
      maySend: () => true,
      started: () => once(disk.signal, "abort").then(() => assert.fail("The disk is full.")),
    } as unknown as ReadyInvocation;
    const { signal } = new AbortController();
    const sending = sendInvocation(ready, traces as unknown as InvocationTraces, signal);
    await new Promise(setImmediate);
    disk.abort();
    await assert.rejects(sending, /disk is full/);
    assert.equal(requests, 0);
  });

  it("marks a test run, and names its project but no token", async () => {
    const token = `shub_user_${"0123456789abcdef".repeat(4)}`;
    const blocks: string[] = [];
    const records: InvocationRecord[] = [];
    const paths: string[] = [];
    const traces = {
      history: {
        ending: () => undefined,
        end: async (ended: { record: InvocationRecord }) => {
          records.push(ended.record);
          assert.ok(!JSON.stringify(ended).includes(token));
          return 0;
        },
      },
      channels: {
        write: (block: string) => blocks.push(block),
        noteFailure: (text: string) => paths.push(text),
      },
      audit: noAudit,
      keeping: { mayKeep: () => true },
    } as unknown as InvocationTraces;
    const testRun = async (_: unknown, target: { project: string }) => ({
      kind: "skillError",
      durationMs: 3,
      mode: "console_test",
      message: target.project,
    });
    const origin = "http://registry.test";
    const ready = {
      record: { ...running(origin), kind: "testRun", projectSlug: "demo" },
      registry: { baseUrl: origin, client: { testRun } },
      invocation: { skillSlug: "text-stats", version: "1.0.0", inputText: `{"text":"${token}"}` },
      sending: {
        ...sendingOf(origin),
        sender: {
          kind: "testRun",
          target: { project: "demo", token: { kind: "userToken", origin, text: token } },
        },
      },
      inputText: '{"text":"(redacted)"}',
      maySend: () => true,
      started: () => undefined,
      ended: () => undefined,
    } as unknown as ReadyInvocation;
    const sent = await sendInvocation(ready, traces, new AbortController().signal);
    const { record } = sent;
    assert.deepEqual(
      records.map(({ status, kind, projectSlug }) => [status, kind, projectSlug]),
      [["error", "testRun", "demo"]],
    );
    assert.equal(record.message, "demo");
    assert.match(blocks.join(), /Note: test run/);
    assert.match(
      paths.join(),
      /^POST http:\/\/registry\.test\/v1\/projects\/demo\/runtime\/test: /,
    );
  });

  it("counts as canceled only if the user canceled it after it was sent", () => {
    const unsent = { kind: "cancelled" } as const;
    const outcomes = [
      { kind: "notSent", failure: unsent },
      { kind: "outcomeUnknown", failure: unsent, durationMs: 1 },
      { kind: "outcomeUnknown", failure: { kind: "timeout", seconds: 1 }, durationMs: 1 },
      ranOnce,
    ] as const;
    assert.deepEqual(outcomes.map(endOf), ["notSent", "cancelled", "done", "done"]);
  });

  for (const [what, decided, expected] of [
    ["gets its texts once the user agrees, without being written again", undefined, true],
    ["gets no texts if the setting forbids them by the time the user agrees", false, false],
  ] as const) {
    it(what, async () => {
      const done: string[] = [];
      let now: boolean | undefined;
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
          ending: () => undefined,
          end: async ({ record }: { record: InvocationRecord }, keepTexts: boolean) => {
            done.push(`keep ${record.status} ${keepTexts}`);
            if (keepTexts) hasTexts();
            return 0;
          },
          keepTexts: async ({ status }: InvocationRecord) => {
            done.push(`keep texts ${status}`);
            hasTexts();
          },
        },
        channels: { write: () => undefined, noteFailure: () => undefined },
        audit: noAudit,
        keeping: { mayKeep: () => now, ask: () => answer },
      } as unknown as InvocationTraces;
      const invoke = async () => ({ kind: "success", durationMs: 3, outputText: "[1]" });
      const ready = {
        record: running("http://registry.test"),
        registry: { baseUrl: "http://registry.test", client: { invoke } },
        invocation: { skillSlug: "text-stats", version: "1.0.0", inputText: "{}" },
        sending: sendingOf("http://registry.test"),
        inputText: "{}",
        maySend: () => true,
        started: () => undefined,
        ended: () => undefined,
      } as unknown as ReadyInvocation;
      await sendInvocation(ready, traces, new AbortController().signal);
      now = decided;
      agree(true);
      await (expected ? end : nextTurn());
      const texts = expected ? ["keep texts success"] : [];
      assert.deepEqual(done, ["keep success false", ...texts]);
    });
  }

  it("reports its end before the disk has it, which may take forever", async () => {
    const told: string[] = [];
    const traces = {
      history: {
        ending: ({ status }: InvocationRecord) => told.push(`noted ${status}`),
        end: () => new Promise<never>(() => undefined),
      },
      channels: { write: () => undefined, noteFailure: () => undefined },
      audit: noAudit,
      keeping: { mayKeep: () => true },
    } as unknown as InvocationTraces;
    const invoke = async () => ({ kind: "success", durationMs: 3, outputText: "[1]" });
    await new Promise<void>((ended) => {
      const ready = {
        record: running("http://registry.test"),
        registry: { baseUrl: "http://registry.test", client: { invoke } },
        invocation: { skillSlug: "text-stats", version: "1.0.0", inputText: "{}" },
        sending: sendingOf("http://registry.test"),
        inputText: "{}",
        maySend: () => true,
        started: () => undefined,
        ended: ({ status }: InvocationRecord, { kind }: { kind: string }) => {
          told.push(`shown ${status} ${kind}`);
          ended();
        },
      } as unknown as ReadyInvocation;
      void sendInvocation(ready, traces, new AbortController().signal);
    });
    assert.deepEqual(told, ["noted success", "shown success success"]);
  });
});
