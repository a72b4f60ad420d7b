import assert from "node:assert/strict";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { after, before, describe, it } from "mocha";
import type { LanguageTask, SentSchema, ThreadStart } from "../../../src/language/languageMessages";
import { buildWorker } from "./buildWorker";

describe("languageWorker", function () {
  this.timeout(30_000);
  let worker: Worker;
  before(async () => {
    const nativePattern = new Int32Array(new SharedArrayBuffer(4)).fill(-1);
    const workerData: ThreadStart = { nativePattern, language: { locale: "en", words: {} } };
    worker = new Worker(await buildWorker(), { workerData });
  });
  after(() => worker.terminate());

  /** Asks for a check of `1` or what can stand in `{}`; rejects when the thread falls. */
  async function ask(kind: "check" | "complete", schema: SentSchema, forget: string[] = []) {
    const task: LanguageTask =
      kind === "check" ? { kind, text: "1" } : { kind, text: "{}", offset: 1 };
    worker.postMessage({ id: 1, task, schema, forget });
    for (;;) {
      const [answer] = await once(worker, "message");
      if (answer.kind === "done") return answer.result.state ?? answer.result.length;
    }
  }

  it("keeps a schema for all that is asked until it is told to forget it", async () => {
    const text = '{"type": ["integer", "object"], "properties": {"a": {}}}';
    assert.equal(await ask("check", { key: "a", text }), "valid");
    assert.equal(await ask("check", { key: "a" }), "valid");
    assert.equal(await ask("complete", { key: "a" }), 1);
    assert.equal(await ask("complete", { key: "b", text }, ["a"]), 1);
    await assert.rejects(ask("check", { key: "a" }), /never sent/);
  });
});
