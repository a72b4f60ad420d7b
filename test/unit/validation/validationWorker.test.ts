import assert from "node:assert/strict";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { after, before, describe, it } from "mocha";
import type { TaskMessage, WorkerStart } from "../../../src/validation/workerMessages";
import { buildWorker } from "./buildWorker";

describe("validationWorker", function () {
  this.timeout(30_000);
  let worker: Worker;
  before(async () => {
    const nativePattern = new Int32Array(new SharedArrayBuffer(4)).fill(-1);
    const workerData: WorkerStart = { nativePattern, language: { locale: "en", words: {} } };
    worker = new Worker(await buildWorker(), { workerData });
  });
  after(() => worker.terminate());

  /** Asks for a check of `1`; resolves when it is done, rejects when the thread falls. */
  async function ask(message: Pick<TaskMessage, "schemaKey" | "forget"> & Partial<TaskMessage>) {
    worker.postMessage({ id: 1, task: { kind: "check", text: "1" }, ...message });
    for (;;) {
      const [answer] = await once(worker, "message");
      if (answer.kind === "done") return answer.result.check.state;
    }
  }

  it("keeps a schema until it is told to forget it", async () => {
    const schemaText = '{"type":"integer"}';
    assert.equal(await ask({ schemaKey: "a", schemaText, forget: [] }), "valid");
    assert.equal(await ask({ schemaKey: "a", forget: [] }), "valid");
    assert.equal(await ask({ schemaKey: "b", schemaText, forget: ["a"] }), "valid");
    await assert.rejects(ask({ schemaKey: "a", forget: [] }), /never sent/);
  });
});
