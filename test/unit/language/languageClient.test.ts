import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { BroadcastChannel, setEnvironmentData } from "node:worker_threads";
import { afterEach, describe, it } from "mocha";
import { LanguageClient } from "../../../src/language/languageClient";
import { never, useLanguageClients } from "./useLanguageClients";

describe("LanguageClient", () => {
  const bench = useLanguageClients();
  const { check, stateOf } = bench;

  it("sends a schema to the thread once for several texts", async () => {
    let timesRead = 0;
    const schema = {
      get type() {
        timesRead += 1;
        return "string";
      },
    };
    const states = [];
    for (const text of ['"a"', "1", "{"]) {
      states.push((await bench.client.check({ schema, text }, never)).state);
    }
    assert.deepEqual(states, ["valid", "invalid", "invalid"]);
    assert.ok(timesRead <= 2, "measured once and sent once");
  });

  it("checks a long text that is sent in pieces, and then a short one", async () => {
    const words = "a😀".repeat(700_000);
    const length = 1_400_000;
    const text = JSON.stringify([words, 1]);
    const schema = (minLength: number) => ({ items: [{ minLength }, { type: "integer" }] });
    const draft = { $schema: "http://json-schema.org/draft-07/schema#" };
    const [exact, more] = await Promise.all([
      check({ ...draft, ...schema(length) }, text),
      check({ ...draft, ...schema(length + 1) }, text),
    ]);
    assert.deepEqual([exact.state, more.state], ["valid", "invalid"]);
    assert.deepEqual(
      more.problems.map(({ start, end }) => [start, end]),
      [[1, words.length + 3]],
    );
    assert.equal(await stateOf({ type: "integer" }, "7"), "valid");
  });

  it("sends no text of more than 32 million characters to the thread", async () => {
    const silent = new LanguageClient({ workerPath: join(dirname(bench.workerPath), "none.js") });
    try {
      const text = " ".repeat(32_000_000);
      for (const read of [
        (of: string) => silent.check({ schema: {}, text: of }, never),
        (of: string) => silent.manifest(of, never),
      ]) {
        assert.doesNotMatch(String((await read(text)).reason), /million/);
        assert.equal(
          (await read(`${text} `)).reason,
          "This text is 32 million characters long. At most 32 million can be checked.",
        );
      }
    } finally {
      silent.dispose();
    }
  });

  it("starts its thread without a task on request", async () => {
    const eager = join(dirname(bench.workerPath), "eagerWorker.js");
    writeFileSync(
      eager,
      "new (require('node:worker_threads').BroadcastChannel)('eager worker').postMessage('started');",
    );
    const channel = new BroadcastChannel("eager worker");
    const started = new Promise((resolve) => {
      channel.onmessage = resolve;
    });
    const early = new LanguageClient({ workerPath: eager });
    try {
      early.start();
      await started;
    } finally {
      early.dispose();
      channel.close();
    }
  });

  it("answers if it is disposed of while a text is being sent", async () => {
    const brief = new LanguageClient({ workerPath: bench.workerPath });
    const checking = brief.check(
      { schema: {}, text: JSON.stringify("x".repeat(5_000_000)) },
      never,
    );
    await new Promise(setImmediate);
    brief.dispose();
    assert.equal((await checking).state, "unchecked");
  });

  it("returns unchecked if a number of the schema cannot be compared exactly", async () => {
    const schema = { const: Number.POSITIVE_INFINITY };
    for (const lossyNumbers of [[Number.POSITIVE_INFINITY], [1, -Infinity], "many"] as const) {
      const { state } = await bench.client.check({ schema, text: "null", lossyNumbers }, never);
      assert.equal(state, "unchecked");
    }
    const lost = { schema: { minimum: 2 ** 53 }, text: `${2 ** 53}`, lossyNumbers: [2 ** 53] };
    assert.equal((await bench.client.check(lost, never)).state, "unchecked");
    assert.equal((await bench.client.check({ ...lost, text: `${2 ** 54}` }, never)).state, "valid");
  });

  it("caches a limited number of schemas and sends dropped ones again", async () => {
    for (const round of [1, 2]) {
      for (let index = 0; index < 40; index += 1) {
        const request = { schema: { const: index }, text: `${index}` };
        assert.equal((await bench.client.check(request, never)).state, "valid", `round ${round}`);
      }
    }
  });

  it("sends a schema again after others replaced it", async () => {
    let timesRead = 0;
    const schema = {
      get type() {
        timesRead += 1;
        return "string";
      },
    };
    const request = { schema, text: '"a"' };
    await bench.client.check(request, never);
    const timesAtFirst = timesRead;
    await bench.client.check(request, never);
    assert.equal(timesRead, timesAtFirst);
    for (let index = 0; index < 20; index += 1) await stateOf({ const: index }, "1");
    await bench.client.check(request, never);
    assert.equal(timesRead, timesAtFirst + 1, "sent again, not measured again");
  });

  it("makes a first payload in the thread, without blocking the host", async () => {
    const schema = { required: ["a"], properties: { a: { type: "string", minLength: 1 } } };
    const sample = await bench.client.sample(schema, { mode: "minimal" }, never);
    assert.deepEqual(sample, { value: { a: "x" }, notes: [] });
  });

  describe("the timing of LanguageClient", () => {
    let other: LanguageClient | undefined;
    afterEach(() => other?.dispose());

    it("rejects with the signal's reason, before the start and during a wait", async () => {
      const request = { schema: {}, text: "{}" };
      const aborted = AbortSignal.abort(new Error("no longer needed"));
      await assert.rejects(bench.client.check(request, aborted), /no longer needed/);
      const controller = new AbortController();
      const first = bench.client.check(request, never);
      const second = bench.client.check(request, controller.signal);
      controller.abort(new Error("typed on"));
      await assert.rejects(second, /typed on/);
      assert.equal((await first).state, "valid");
    });

    it("skips canceled work", async () => {
      let timesRead = 0;
      const schema = {
        get type() {
          timesRead += 1;
          return "string";
        },
      };
      const controller = new AbortController();
      const first = bench.client.check({ schema: {}, text: "{}" }, never);
      const dropped = bench.client.check({ schema, text: "1" }, controller.signal);
      const last = bench.client.check({ schema: {}, text: "{}" }, never);
      controller.abort(new Error("typed on"));
      await assert.rejects(dropped, /typed on/);
      await Promise.all([first, last]);
      assert.equal(timesRead, 0);
    });

    it("returns each answer to its question, in order", async () => {
      const texts = ["1", '"a"', "null", "{}"];
      const states = await Promise.all(
        texts.map((text) => bench.client.check({ schema: { type: "null" }, text }, never)),
      );
      assert.deepEqual(
        states.map(({ state }) => state),
        ["invalid", "invalid", "valid", "invalid"],
      );
    });

    it("answers everything when it is disposed of", async () => {
      other = new LanguageClient({ workerPath: bench.workerPath });
      const request = { schema: {}, text: "{}" };
      const waiting = [other.check(request, never), other.check(request, never)];
      other.dispose();
      for (const found of await Promise.all(waiting)) assert.equal(found.state, "unchecked");
      assert.equal((await other.check(request, never)).state, "unchecked");
    });

    it("hides the editor's environment from the thread", async () => {
      const telling = join(dirname(bench.workerPath), "tellingWorker.js");
      writeFileSync(
        telling,
        `const { parentPort } = require("node:worker_threads");
        parentPort.on("message", ({ id }) => {
          const check = { state: "valid", problems: [], hiddenProblems: Object.keys(process.env).length };
          parentPort.postMessage({ kind: "done", id, result: check });
        });`,
      );
      other = new LanguageClient({ workerPath: telling });
      const told = await other.check({ schema: {}, text: "{}" }, never);
      assert.deepEqual([told.state, told.hiddenProblems], ["valid", 0]);
    });

    it("accepts a timely answer while its own thread was too busy to read it", async () => {
      const steady = join(dirname(bench.workerPath), "steadyWorker.js");
      writeFileSync(
        steady,
        `const { getEnvironmentData, parentPort } = require("node:worker_threads");
        const isHeld = getEnvironmentData("isHeld");
        parentPort.on("message", ({ id }) => {
          parentPort.postMessage({ kind: "compiled", id, nativePatterns: [] });
          Atomics.wait(isHeld, 0, 0);
          const check = { state: "valid", problems: [], hiddenProblems: 0 };
          parentPort.postMessage({ kind: "done", id, result: check });
          Atomics.store(isHeld, 0, 2);
        });`,
      );
      const isHeld = new Int32Array(new SharedArrayBuffer(4));
      setEnvironmentData("isHeld", isHeld);
      const deadlineMs = 123;
      other = new LanguageClient({ workerPath: steady, deadlineMs });
      // Blocks from the start of the thread's time until it has answered and that time is over.
      const hold = () => {
        Atomics.store(isHeld, 0, 1);
        Atomics.notify(isHeld, 0);
        const [start, before] = [performance.now(), process.cpuUsage()];
        const computed = () => process.cpuUsage(before).user / 1000;
        while (performance.now() - start < 2 * deadlineMs || computed() < deadlineMs);
        while (Atomics.load(isHeld, 0) !== 2);
      };
      const { setTimeout: start } = globalThis;
      globalThis.setTimeout = ((work: () => void, ms = 0, ...given: []) => {
        if (Math.floor(ms) === deadlineMs) setImmediate(hold);
        return start(work, ms, ...given);
      }) as typeof setTimeout;
      try {
        assert.equal((await other.check({ schema: {}, text: "{}" }, never)).state, "valid");
        assert.equal(isHeld[0], 2);
      } finally {
        globalThis.setTimeout = start;
        setEnvironmentData("isHeld", undefined);
      }
    });

    it("returns unchecked if the worker does not start", async () => {
      const silent = join(dirname(bench.workerPath), "silentWorker.js");
      writeFileSync(silent, "require('node:worker_threads').parentPort.on('message', () => {});");
      other = new LanguageClient({ workerPath: silent, startDeadlineMs: 100 });
      const request = { schema: {}, text: "{}" };
      assert.equal((await other.check(request, never)).state, "unchecked");
    });

    it("returns unchecked if the worker fails to start or crashes", async () => {
      const broken = join(dirname(bench.workerPath), "brokenWorker.js");
      writeFileSync(broken, "throw new Error('no');");
      for (const path of [broken, join(dirname(bench.workerPath), "none.js")]) {
        other = new LanguageClient({ workerPath: path });
        const request = { schema: {}, text: "{}" };
        assert.equal((await other.check(request, never)).state, "unchecked");
      }
    });
  });
});
