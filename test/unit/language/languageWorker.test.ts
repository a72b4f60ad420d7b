import assert from "node:assert/strict";
import { Worker } from "node:worker_threads";
import { after, before, describe, it } from "mocha";
import type {
  LanguageTask,
  SentSchema,
  ThreadMessage,
  ThreadStart,
} from "../../../src/language/languageMessages";
import { threadBundle } from "../../fixtures/threadBundle";

describe("languageWorker", () => {
  let worker: Worker;
  before(async () => {
    const nativePattern = new Int32Array(new SharedArrayBuffer(4)).fill(-1);
    const workerData: ThreadStart = { nativePattern, language: { locale: "en", words: {} } };
    worker = new Worker(await threadBundle("src/language/languageWorker.ts"), { workerData });
  });
  after(() => worker.terminate());

  /** Requests a check of `1` or the completions of `{}`; rejects when the thread ends. */
  function ask(kind: "check" | "complete", schema: SentSchema, forget: string[] = []) {
    const task: LanguageTask =
      kind === "check" ? { kind, text: "1" } : { kind, text: "{}", offset: 1 };
    return new Promise((resolve, reject) => {
      const hear = (answer: ThreadMessage) => {
        if (answer.kind !== "done") return;
        const { state, length } = answer.result as { state?: string; length?: number };
        end(() => resolve(state ?? length));
      };
      const fail = (error: unknown) => end(() => reject(error));
      const end = (settle: () => void) => {
        worker.off("message", hear).off("error", fail);
        settle();
      };
      worker.on("message", hear).on("error", fail);
      worker.postMessage({ kind: "task", id: 1, task, schema, forget });
    });
  }

  it("caches a schema for all questions until it is dropped on request", async () => {
    const text = '{"type": ["integer", "object"], "properties": {"a": {}}}';
    assert.equal(await ask("check", { key: "a", text }), "valid");
    assert.equal(await ask("check", { key: "a" }), "valid");
    assert.equal(await ask("complete", { key: "a" }), 1);
    assert.equal(await ask("complete", { key: "b", text }, ["a"]), 1);
    await assert.rejects(ask("check", { key: "a" }), /never sent/);
  });
});
