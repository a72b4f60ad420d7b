import assert from "node:assert/strict";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { after, before, describe, it } from "mocha";
import type { AssistanceQuestion } from "../../../src/assistance/assistanceMessages";
import { buildAssistanceWorker } from "./buildAssistanceWorker";

describe("assistanceWorker", function () {
  this.timeout(30_000);
  let worker: Worker;
  before(async () => {
    const workerData = { locale: "en", words: {} };
    worker = new Worker(await buildAssistanceWorker(), { workerData });
  });
  after(() => worker.terminate());

  /** Asks what can stand in `{}`; resolves to how much it is, rejects when the thread falls. */
  async function ask(
    question: Pick<AssistanceQuestion, "schemaKey" | "forget"> & Partial<AssistanceQuestion>,
  ): Promise<number> {
    worker.postMessage({ id: 1, wants: "proposals", text: "{}", offset: 1, ...question });
    for (;;) {
      const [answer] = await once(worker, "message");
      if (answer.kind === "proposals") return answer.proposals.length;
    }
  }

  it("keeps a schema until it is told to forget it", async () => {
    const schemaText = '{"properties": {"a": {}}}';
    assert.equal(await ask({ schemaKey: "a", schemaText, forget: [] }), 1);
    assert.equal(await ask({ schemaKey: "a", forget: [] }), 1);
    assert.equal(await ask({ schemaKey: "b", schemaText, forget: ["a"] }), 1);
    await assert.rejects(ask({ schemaKey: "a", forget: [] }), /never sent/);
  });
});
