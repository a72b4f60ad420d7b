import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { BroadcastChannel, setEnvironmentData } from "node:worker_threads";
import { after, afterEach, before, describe, it } from "mocha";
import type { JsonValue } from "../../../src/core/json/jsonValue";
import type { PayloadCheck } from "../../../src/core/payload/payloadCheck";
import { LanguageClient } from "../../../src/language/languageClient";
import { someOf } from "../../editor/someOf";
import { countedReads } from "../../fixtures/countedReads";
import { hostileSchemas } from "../../fixtures/hostileSchemas";
import { threadBundle } from "../../fixtures/threadBundle";

const never = new AbortController().signal;

describe("LanguageClient", () => {
  let workerPath = "";
  let client: LanguageClient;
  /** For tasks that compute until they are ended. */
  let hasty: LanguageClient;
  /** For large tasks that end by themselves, which may take long on a busy machine. */
  let patient: LanguageClient;

  before(async () => {
    workerPath = await threadBundle("src/language/languageWorker.ts");
    client = new LanguageClient({ workerPath });
    hasty = new LanguageClient({ workerPath, deadlineMs: 300 });
    patient = new LanguageClient({ workerPath, deadlineMs: 10_000 });
  });
  after(() => {
    for (const each of [client, hasty, patient]) each.dispose();
  });

  function check(schema: unknown, text: string, by = client): Promise<PayloadCheck> {
    return by.check({ schema, text }, never);
  }

  async function stateOf(schema: unknown, text: string, by = client): Promise<string> {
    return (await check(schema, text, by)).state;
  }

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
      states.push((await client.check({ schema, text }, never)).state);
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

  it("starts its thread without a task on request", async () => {
    const eager = join(dirname(workerPath), "eagerWorker.js");
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
    const brief = new LanguageClient({ workerPath });
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
      const { state } = await client.check({ schema, text: "null", lossyNumbers }, never);
      assert.equal(state, "unchecked");
    }
    const lost = { schema: { minimum: 2 ** 53 }, text: `${2 ** 53}`, lossyNumbers: [2 ** 53] };
    assert.equal((await client.check(lost, never)).state, "unchecked");
    assert.equal((await client.check({ ...lost, text: `${2 ** 54}` }, never)).state, "valid");
  });

  it("caches a limited number of schemas and sends dropped ones again", async () => {
    for (const round of [1, 2]) {
      for (let index = 0; index < 40; index += 1) {
        const request = { schema: { const: index }, text: `${index}` };
        assert.equal((await client.check(request, never)).state, "valid", `round ${round}`);
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
    await client.check(request, never);
    const timesAtFirst = timesRead;
    await client.check(request, never);
    assert.equal(timesRead, timesAtFirst);
    for (let index = 0; index < 20; index += 1) await stateOf({ const: index }, "1");
    await client.check(request, never);
    assert.equal(timesRead, timesAtFirst + 1, "sent again, not measured again");
  });

  it("makes a first payload in the thread, without blocking the host", async () => {
    const schema = { required: ["a"], properties: { a: { type: "string", minLength: 1 } } };
    const sample = await client.sample(schema, { mode: "minimal" }, never);
    assert.deepEqual(sample, { value: { a: "x" }, notes: [] });
  });

  describe("a hostile schema", () => {
    const text = JSON.stringify(`${"a".repeat(60)}!`);
    const evil = "^((a+)\\2?)+$";
    const patterns: Record<string, readonly [schema: unknown, text: string]> = {
      pattern: [{ pattern: evil }, text],
      patternProperties: [{ patternProperties: { [evil]: false } }, `{${text}:1}`],
      propertyNames: [{ propertyNames: { pattern: evil } }, `{${text}:1}`],
      $defs: [{ items: { $ref: "#/$defs/a" }, $defs: { a: { pattern: evil } } }, `[${text}]`],
      prefixItems: [{ prefixItems: [{ pattern: evil }] }, `[${text}]`],
      "what our own evaluation decides": [{ pattern: evil, unevaluatedItems: false }, text],
    };
    // Each takes the thread's whole time, so only three run: a value's pattern, a name's pattern, and one that ajv does
    // not decide.
    const kinds = ["pattern", "patternProperties", "what our own evaluation decides"];
    for (const [where, [schema, payload]] of someOf(patterns, kinds)) {
      it(`is given up: a catastrophic pattern in ${where}`, async () => {
        await hasty.check({ schema: {}, text: "{}" }, never);
        const found = await hasty.check({ schema, text: payload }, never);
        assert.equal(found.state, "unchecked");
        assert.ok(found.reason?.includes(evil), found.reason);
        const next = { schema: { type: "object" }, text: "{}" };
        assert.equal((await hasty.check(next, never)).state, "valid");
      });
    }

    it("delays no other waiting text", async () => {
      const schema = { pattern: evil };
      const asked = ['"b"', text, '"aa"', "1"].map((one) =>
        hasty.check({ schema, text: one }, never),
      );
      const states = (await Promise.all(asked)).map(({ state }) => state);
      assert.deepEqual(states, ["invalid", "unchecked", "valid", "valid"]);
    });

    it("is searched in linear time if the pattern allows it", async () => {
      assert.equal(await stateOf({ pattern: "^(a+)+$" }, text), "invalid");
      assert.equal(
        await stateOf({ patternProperties: { "(x+x+)+y": false } }, `{${text}:1}`),
        "valid",
      );
    });

    it("does not block the host", async () => {
      let turns = 0;
      const timer = setInterval(() => {
        turns += 1;
      }, 10);
      const { state } = await check({ pattern: evil }, text);
      clearInterval(timer);
      assert.equal(state, "unchecked");
      // The thread computes for most of a second.
      assert.ok(turns > 5, `${turns} turns`);
    });

    const range = (count: number) => Array.from({ length: count }, (_, index) => index);
    const named = (count: number, of: (index: number) => unknown) =>
      Object.fromEntries(range(count).map((index) => [`p${index}`, of(index)]));
    const branches = range(10).map((kind) => ({
      type: "object",
      required: ["kind", "next"],
      properties: { kind: { const: kind }, next: { $ref: "#/$defs/node" } },
    }));
    const required = (count: number, property: unknown, more: object = {}) => ({
      required: range(count).map((index) => `p${index}`),
      properties: named(count, () => property),
      ...more,
    });
    const fanned = named(30, (index) => ({
      anyOf: [{ $ref: `#/$defs/p${(index + 1) % 30}` }, { $ref: `#/$defs/p${(index + 1) % 30}` }],
      properties: named(2, () => ({ $ref: `#/$defs/p${(index + 1) % 30}` })),
      required: ["p0", "p1"],
    }));
    const costly: Record<string, unknown> = {
      "a malformed pattern": required(1, { type: "string", pattern: "[a-z" }),
      "a recursive choice 200 times": required(
        200,
        { $ref: "#/$defs/node" },
        { $defs: { node: { oneOf: branches } } },
      ),
      "references that fan out": { $ref: "#/$defs/p0", $defs: fanned },
      "20,000 definitions": {
        ...required(20, { $ref: "#/$defs/p7" }),
        $defs: named(20_000, (index) => ({ properties: { a: { $ref: `#/$defs/p${index}` } } })),
      },
      "50,000 definitions": {
        $defs: named(50_000, () => ({ properties: { a: { $ref: "#/$defs/p1" } } })),
      },
    };
    // The other schemas keep the thread busy for its whole time, once per question.
    const quick = ["a malformed pattern", "a recursive choice 200 times", "50,000 definitions"];
    for (const [what, plain] of someOf(costly, quick)) {
      it(`is only measured and sent on the host, whatever the question: ${what}`, async () => {
        // Measured once, and sent with each of the five questions again, since the previous question may have ended the
        // thread on a busy machine.
        const most = 6 * valuesIn(plain) + 100;
        const { value: schema, reads } = countedReads(plain as JsonValue, most);
        const asked: (() => Promise<unknown>)[] = [
          async () => {
            const { problems } = await client.check({ schema, text: "{}" }, never);
            const indexes = [...problems.keys()];
            await client.fixes(
              schema,
              { text: "{}", problems, indexes, indent: "  ", includesAll: true },
              never,
            );
          },
          () => client.sample(schema, { mode: "full" }, never),
          () => client.complete({ schema, text: "{}", offset: 1 }, never),
          () => client.explain({ schema, text: '{"p0": 1}', offset: 3 }, never),
        ];
        for (const ask of asked) {
          await ask();
          assert.ok(reads() <= most, `${reads()} of ${most}`);
        }
        assert.equal(await stateOf({}, "{}"), "valid");
      });
    }

    it("is given up when a recursive anyOf yields ever more failures", async () => {
      const branch = (name: string) => ({
        required: [name],
        properties: { a: { $ref: "#" }, b: { $ref: "#" } },
      });
      let value: object = {};
      for (let depth = 0; depth < 30; depth += 1) value = { a: value, b: {} };
      const schema = { anyOf: ["x", "y", "z"].map(branch) };
      const found = await hasty.check({ schema, text: JSON.stringify(value) }, never);
      assert.equal(found.state, "unchecked");
      assert.equal((await hasty.check({ schema: {}, text: "{}" }, never)).state, "valid");
    });

    it("is given up when it takes too much memory", async () => {
      const small = new LanguageClient({ workerPath, memoryLimitMb: 24, deadlineMs: 20_000 });
      const payload = JSON.stringify(Array.from({ length: 400_000 }, (_, index) => ({ index })));
      const request = { schema: { uniqueItems: true }, text: payload };
      assert.equal((await small.check(request, never)).state, "unchecked");
      const next = { schema: {}, text: "{}" };
      assert.equal((await small.check(next, never)).state, "valid");
      small.dispose();
    });

    function nested(depth: number): unknown {
      let schema: unknown = { type: "string" };
      for (let level = 0; level < depth; level += 1) schema = { properties: { a: schema } };
      return schema;
    }

    const sizes: [what: string, schema: unknown, text: string, states: string[]][] = [
      ["1,000 levels", nested(1000), "{}", ["unchecked"]],
      ["100,000 levels", nested(100_000), "{}", ["unchecked"]],
      ["120 levels", nested(120), '{"a":{"a":1}}', ["valid"]],
      ["10,000 properties", manyProperties(10_000), '{"p9999":1}', ["invalid"]],
      ["500,000 properties", manyProperties(500_000), '{"p9999":1}', ["unchecked"]],
      [
        "100,000 enum values",
        { enum: Array.from({ length: 100_000 }, (_, i) => `v${i}`) },
        '"v"',
        ["invalid"],
      ],
      ["200,000 short values", { enum: Array(200_000).fill(1) }, "2", ["unchecked"]],
      ["5 MB of text", { description: "x".repeat(5_000_000) }, "1", ["unchecked"]],
      [
        "a million states in a pattern",
        { pattern: "^((a{100}){100}){100}$" },
        '"a"',
        ["invalid", "unchecked"],
      ],
    ];
    for (const [what, schema, payload, states] of sizes) {
      it(`is checked or refused: ${what}`, async () => {
        assert.ok(states.includes(await stateOf(schema, payload, patient)));
      });
    }

    const circles: unknown[] = [
      { $ref: "#" },
      { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
      { allOf: [{ not: { anyOf: [{ $ref: "#" }] } }] },
      { $dynamicAnchor: "a", $dynamicRef: "#a" },
      {
        $schema: "https://json-schema.org/draft/2019-09/schema",
        $recursiveAnchor: true,
        $recursiveRef: "#",
      },
    ];
    for (const schema of circles) {
      it(`is rejected for endless references: ${JSON.stringify(schema)}`, async () => {
        assert.equal(await stateOf(schema, "1"), "unchecked");
      });
    }

    const { "lost-digits": _, ...corpus } = hostileSchemas("http://127.0.0.1:9");
    for (const [slug, { schema, text: payload, says }] of Object.entries(corpus)) {
      // Endless and large schemas have their own tests above.
      if (/^pattern-|^endless-|^many-/.test(slug)) continue;
      it(`is checked or rejected, and every question ends: ${slug}`, async () => {
        assert.equal(await stateOf(schema, payload), says);
        for (const offset of [2, payload.length - 1]) {
          await client.complete({ schema, text: payload, offset }, never);
          await client.explain({ schema, text: payload, offset }, never);
        }
        assert.equal(await stateOf({}, "{}"), "valid");
      });
    }

    it("does not reach another schema by its name", async () => {
      const metaSchema = "https://json-schema.org/draft/2020-12/schema";
      assert.equal(await stateOf({ $id: "http://a/skill", type: "null" }, "null"), "valid");
      assert.equal(await stateOf({ $id: "http://a/skill", type: "string" }, "null"), "invalid");
      assert.equal(await stateOf({ $ref: "http://a/skill" }, "null"), "unchecked");
      assert.equal(await stateOf({ $id: metaSchema, type: "null" }, "null"), "valid");
      assert.equal(await stateOf({ $ref: metaSchema }, '{"type":"string"}'), "valid");
      assert.equal(await stateOf({ $ref: metaSchema }, '{"type":"text"}'), "invalid");
    });
  });

  describe("a hostile payload", () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    const payloads: [what: string, schema: unknown, text: string, state: string][] = [
      ["no own toString", { required: ["toString", "__proto__"] }, "{}", "invalid"],
      ["own __proto__", JSON.parse('{"required":["__proto__"]}'), '{"__proto__":null}', "valid"],
      ["a number that loses digits", { type: "integer" }, "9007199254740993", "valid"],
      ["a number out of range", { maximum: 9 }, "1e400", "invalid"],
      ["a key named twice", {}, '{"a":1,"a":1}', "invalid"],
      ["a byte order mark", {}, "\ufeff{}", "invalid"],
      ["nothing", {}, "", "invalid"],
      ["50 million characters", {}, `"${"x".repeat(50_000_000)}"`, "unchecked"],
      ["100,000 levels", {}, deep, "valid"],
      ["100,000 levels against a circle", { items: { $ref: "#" } }, deep, "unchecked"],
      ["100,000 levels to compare", { uniqueItems: true }, `[${deep}]`, "unchecked"],
      ["100,000 levels left open", {}, "[".repeat(100_000), "invalid"],
    ];
    for (const [what, schema, text, state] of payloads) {
      it(`is reported: ${what}`, async () =>
        assert.equal(await stateOf(schema, text, patient), state));
    }

    const levels = 500_000;
    const deepest = [
      "[".repeat(levels) + "]".repeat(levels),
      `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`,
    ];
    for (const [index, text] of deepest.entries()) {
      it(`is nested ${levels} deep, and every question ends: ${"[{".charAt(index)}`, async () => {
        const schema = { type: "null", items: { $ref: "#" }, properties: { a: { $ref: "#" } } };
        const { state, problems } = await patient.check({ schema, text }, never);
        assert.equal(state, "invalid");
        const indexes = [...problems.keys()];
        await patient.fixes(
          schema,
          { text, problems, indexes, indent: "  ", includesAll: true },
          never,
        );
        const place = { schema, text: text.slice(0, 1_900_000), offset: 9 };
        const name = index === 0 ? [] : ["a"];
        const proposals = await patient.complete(place, never);
        assert.deepEqual(
          proposals.map(({ label }) => label),
          name,
        );
        assert.deepEqual((await patient.explain(place, never))?.texts, ["null"]);
        assert.equal(await stateOf({}, text, patient), "valid");
        assert.equal(await stateOf({}, text.slice(0, -1), patient), "invalid");
      });
    }

    it("has a million failures counted in time", async () => {
      const text = `[${"1,".repeat(1_000_000)}1]`;
      const found = await check({ items: { type: "string" } }, text, patient);
      assert.deepEqual([found.state, found.problems.length], ["invalid", 200]);
      assert.ok(found.hiddenProblems >= 100_000);
    });
  });

  describe("the timing of LanguageClient", () => {
    let other: LanguageClient | undefined;
    afterEach(() => other?.dispose());

    it("rejects with the signal's reason, before the start and during a wait", async () => {
      const request = { schema: {}, text: "{}" };
      const aborted = AbortSignal.abort(new Error("no longer needed"));
      await assert.rejects(client.check(request, aborted), /no longer needed/);
      const controller = new AbortController();
      const first = client.check(request, never);
      const second = client.check(request, controller.signal);
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
      const first = client.check({ schema: {}, text: "{}" }, never);
      const dropped = client.check({ schema, text: "1" }, controller.signal);
      const last = client.check({ schema: {}, text: "{}" }, never);
      controller.abort(new Error("typed on"));
      await assert.rejects(dropped, /typed on/);
      await Promise.all([first, last]);
      assert.equal(timesRead, 0);
    });

    it("returns each answer to its question, in order", async () => {
      const texts = ["1", '"a"', "null", "{}"];
      const states = await Promise.all(
        texts.map((text) => client.check({ schema: { type: "null" }, text }, never)),
      );
      assert.deepEqual(
        states.map(({ state }) => state),
        ["invalid", "invalid", "valid", "invalid"],
      );
    });

    it("answers everything when it is disposed of", async () => {
      other = new LanguageClient({ workerPath });
      const request = { schema: {}, text: "{}" };
      const waiting = [other.check(request, never), other.check(request, never)];
      other.dispose();
      for (const found of await Promise.all(waiting)) assert.equal(found.state, "unchecked");
      assert.equal((await other.check(request, never)).state, "unchecked");
    });

    it("hides the editor's environment from the thread", async () => {
      const telling = join(dirname(workerPath), "tellingWorker.js");
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
      const steady = join(dirname(workerPath), "steadyWorker.js");
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
      const silent = join(dirname(workerPath), "silentWorker.js");
      writeFileSync(silent, "require('node:worker_threads').parentPort.on('message', () => {});");
      other = new LanguageClient({ workerPath: silent, startDeadlineMs: 100 });
      const request = { schema: {}, text: "{}" };
      assert.equal((await other.check(request, never)).state, "unchecked");
    });

    it("returns unchecked if the worker fails to start or crashes", async () => {
      const broken = join(dirname(workerPath), "brokenWorker.js");
      writeFileSync(broken, "throw new Error('no');");
      for (const path of [broken, join(dirname(workerPath), "none.js")]) {
        other = new LanguageClient({ workerPath: path });
        const request = { schema: {}, text: "{}" };
        assert.equal((await other.check(request, never)).state, "unchecked");
      }
    });
  });
});

function manyProperties(count: number): unknown {
  const names = Array.from({ length: count }, (_, index) => [`p${index}`, { type: "string" }]);
  return { properties: Object.fromEntries(names) };
}

/** Returns the number of members, items and names of a JSON value. */
function valuesIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const inner: unknown[] = Object.values(value);
  return inner.reduce((sum: number, item) => sum + 2 + valuesIn(item), 0);
}
