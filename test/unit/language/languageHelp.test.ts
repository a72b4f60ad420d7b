import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { mock } from "node:test";
import { after, afterEach, before, describe, it } from "mocha";
import type { JsonValue } from "../../../src/core/json/jsonValue";
import { LanguageClient } from "../../../src/language/languageClient";
import { mockTimeouts } from "../../fixtures/mockTimeouts";
import { threadBundle } from "../../fixtures/threadBundle";

const never = new AbortController().signal;

/** Two branches are tried at each level of a value, so a deep value takes any amount of time. */
const branch = { properties: { a: { $ref: "#" } } };
const doubling: JsonValue = { anyOf: [branch, { ...branch, title: "other" }] };
const deep = `${'{"a":'.repeat(60)}{}${"}".repeat(60)}`;

describe("Completion and hover of LanguageClient", () => {
  let workerPath: string;
  let client: LanguageClient;
  before(async () => {
    workerPath = await threadBundle("src/language/languageWorker.ts");
    client = new LanguageClient({ workerPath });
  });
  after(() => client.dispose());
  afterEach(() => mock.timers.reset());

  const ask = (schema: JsonValue, text = "{}", offset = 1, asked = client) =>
    asked.complete({ text, offset, schema }, never);

  it("answer in a payload", async () => {
    const schema = { properties: { a: { description: "One." } } };
    const [first] = await ask(schema);
    assert.equal(first?.label, "a");
    const request = { text: '{"a": 1}', offset: 2, schema };
    const explanation = await client.explain(request, never);
    assert.deepEqual(explanation, { start: 1, end: 4, texts: ["One."] });
  });

  it("answer for more schemas than are cached", async () => {
    for (const round of [1, 2]) {
      for (let index = 0; index < 20; index += 1) {
        const name = `p${index}`;
        const [proposal] = await ask({ properties: { [name]: {} } });
        assert.equal(proposal?.label, name, `round ${round}`);
      }
    }
  });

  it("list the mistakes in a schema, and none in a slow one", async () => {
    const empty = { minimum: 2, maximum: 1 };
    const pointers = async (schema: unknown, asked = client) =>
      (await asked.mistakes(schema, never)).map(({ pointer }) => pointer);
    assert.deepEqual(await pointers(empty), ["/minimum"]);
    assert.deepEqual(await pointers(undefined), []);
    const names = Array.from({ length: 10_000 }, (_, index) => [`p${index}`, empty]);
    const hasty = new LanguageClient({ workerPath, deadlineMs: 20 });
    assert.deepEqual(await pointers({ properties: Object.fromEntries(names) }, hasty), []);
    assert.deepEqual(await pointers({ ...empty }, hasty), ["/minimum"]);
    hasty.dispose();
  });

  it("give up on a slow schema, and answer for the next", async () => {
    const hasty = new LanguageClient({ workerPath, deadlineMs: 20 });
    assert.deepEqual(await ask(doubling, deep, 301, hasty), []);
    assert.deepEqual(await ask(doubling, deep, 301, hasty), []);
    // An answer without the thread arrives before the thread or its deadline could respond.
    const third = ask(doubling, deep, 301, hasty);
    assert.deepEqual(await Promise.race([third, afterTurns(100)]), [], "is tried a third time");
    // A new thread may take longer than the deadline on a busy machine.
    mockTimeouts();
    const [next] = await ask({ properties: { b: {} } }, "{}", 1, hasty);
    assert.equal(next?.label, "b");
    hasty.dispose();
  });

  const falls = {
    exits: "process.exit(1)",
    throws: "throw new Error('no')",
    "does not begin": "return",
  };
  for (const [name, end] of Object.entries(falls)) {
    it(`can be requested again after the thread ${name}, however often`, async () => {
      const falling = join(dirname(workerPath), "fallingWorker.js");
      writeFileSync(
        falling,
        `const { parentPort } = require("node:worker_threads");
        parentPort.on("message", ({ id, task }) => {
          if (task.text === "fall") ${end};
          parentPort.postMessage({ kind: "done", id, result: { fixes: [[]], all: task.text } });
        });`,
      );
      // With mocked time-outs, no slow start of a thread fails, and one that never starts is given up at once.
      mockTimeouts();
      const startDeadlineMs = 2_000;
      const asked = new LanguageClient({ workerPath: falling, startDeadlineMs });
      const rest = { problems: [], indexes: [0], indent: "", includesAll: false };
      const request = (text: string) => ({ text, ...rest });
      for (let time = 0; time < 2; time += 1) {
        const falls = asked.fixes(true, request("fall"), never);
        // The task of an earlier answer has ended by the next turn.
        await afterTurns(1);
        if (end === "return") mock.timers.tick(startDeadlineMs);
        assert.deepEqual((await falls).fixes, []);
      }
      assert.deepEqual((await asked.fixes(true, request("stand"), never)).fixes, [[]]);
      asked.dispose();
    });
  }

  /** Resolves after turns of the event loop, which take far less than a question's deadline. */
  async function afterTurns(count: number): Promise<string> {
    for (let turn = 0; turn < count; turn += 1) await new Promise((next) => setImmediate(next));
    return "later";
  }

  const levels = (depth: number) => `${'{"a":'.repeat(depth)}{}${"}".repeat(depth)}`;

  it("do not wait beyond the deadline, even if an answer would follow", async () => {
    const request = { text: levels(15), offset: 76, schema: doubling };
    const patient = new LanguageClient({ workerPath, deadlineMs: 15_000 });
    assert.equal((await patient.complete(request, never)).length, 1);
    patient.dispose();
    const quick = new LanguageClient({ workerPath, deadlineMs: 5 });
    assert.deepEqual(await quick.complete(request, never), []);
    quick.dispose();
  });

  const memory = { 512: "one or more of 20 choices", 14: undefined };
  for (const [megabytes, answer] of Object.entries(memory)) {
    const outcome = answer === undefined ? "give up on" : "answer";
    it(`${outcome} a question that needs much memory, at a limit of ${megabytes} MB`, async () => {
      const anyOf = Array.from({ length: 20 }, (_, index) => ({ description: `d${index}` }));
      const text = `[${"{},".repeat(600_000)}{}]`;
      const limits = { deadlineMs: 15_000, memoryLimitMb: Number(megabytes) };
      const bounded = new LanguageClient({ workerPath, ...limits });
      const found = await bounded.explain({ text, offset: 2, schema: { items: { anyOf } } }, never);
      const next = { text: "{}", offset: 1, schema: { properties: { b: {} } } };
      assert.equal((await bounded.complete(next, never)).length, 1);
      bounded.dispose();
      assert.equal(found?.texts[0], answer);
    });
  }

  it("send the thread a schema again after others replaced it", async () => {
    let timesRead = 0;
    const schema = {
      get type(): JsonValue {
        timesRead += 1;
        return "object";
      },
    };
    await ask(schema);
    const timesAtFirst = timesRead;
    await ask(schema);
    assert.equal(timesRead, timesAtFirst);
    for (let index = 0; index < 20; index += 1) await ask({ title: `other ${index}` });
    await ask(schema);
    assert.equal(timesRead, timesAtFirst + 1, "sent again, not measured again");
  });

  it("are empty for a text or a schema beyond all limits", async () => {
    const schema = { properties: { a: {} } };
    const long = (length: number) => ask(schema, `{"b": "${"x".repeat(length)}", }`);
    assert.equal((await long(1_000_000)).length, 1);
    assert.deepEqual(await long(2_000_000), []);
    let endless: JsonValue = true;
    for (let level = 0; level < 100_000; level += 1) endless = { not: endless };
    assert.deepEqual(await ask(endless), []);
    assert.equal((await ask(schema)).length, 1);
  });

  it("are empty for a text that is too large or was dropped", async () => {
    assert.deepEqual(await ask({ properties: { ["x".repeat(6_000_000)]: {} } }), []);
    const dropped = new AbortController();
    const request = { text: "{}", offset: 1, schema: true };
    const waiting = client.complete(request, dropped.signal);
    dropped.abort();
    await assert.rejects(waiting, { name: "AbortError" });
  });
});
