import assert from "node:assert/strict";
import { resolve } from "node:path";
import * as esbuild from "esbuild";
import { after, before, describe, it } from "mocha";
import { PayloadAssistant } from "../../../src/assistance/payloadAssistant";
import type { JsonValue } from "../../../src/core/text/json";

const never = new AbortController().signal;

/** A language service tries two branches at each level of a value, so a deep one never comes to an end. */
const branch = { properties: { a: { $ref: "#" } } };
const doubling: JsonValue = { anyOf: [branch, { ...branch, title: "other" }] };
const deep = `${'{"a":'.repeat(60)}{}${"}".repeat(60)}`;

describe("PayloadAssistant", function () {
  this.timeout(20_000);
  let workerPath: string;
  let assistant: PayloadAssistant;
  before(async () => {
    workerPath = resolve("out/test/assistance/assistanceWorker.js");
    await esbuild.build({
      entryPoints: [resolve("src/assistance/assistanceWorker.ts")],
      outfile: workerPath,
      bundle: true,
      platform: "node",
      format: "cjs",
      target: "node20",
      mainFields: ["module", "main"],
      logLevel: "warning",
    });
    assistant = new PayloadAssistant({ workerPath });
  });
  after(() => assistant.dispose());

  const ask = (schemaKey: string, schema: JsonValue, text = "{}", offset = 1) =>
    assistant.proposals({ text, offset, schema, schemaKey }, never);

  it("answers, and remembers the schema by its key", async () => {
    const schema = { properties: { a: { description: "One." } } };
    const [first] = await ask("a", schema);
    assert.equal(first?.label, "a");
    const [again] = await ask("a", { properties: { changed: {} } });
    assert.equal(again?.label, "a");
    const request = { text: '{"a": 1}', offset: 2, schema, schemaKey: "a" };
    const explanation = await assistant.explanation(request, never);
    assert.deepEqual(explanation, { start: 1, end: 4, texts: ["One."] });
  });

  it("answers for more schemas than it keeps", async () => {
    for (const round of [1, 2]) {
      for (let index = 0; index < 12; index += 1) {
        const name = `p${index}`;
        const [proposal] = await ask(name, { properties: { [name]: {} } });
        assert.equal(proposal?.label, name, `round ${round}`);
      }
    }
  });

  it("gives up on a schema that takes too long, and helps with the next", async () => {
    const start = performance.now();
    assert.deepEqual(await ask("hostile", doubling, deep, 301), []);
    assert.deepEqual(await ask("hostile", doubling, deep, 301), []);
    const twice = performance.now() - start;
    const before = performance.now();
    assert.deepEqual(await ask("hostile", doubling, deep, 301), []);
    assert.ok(performance.now() - before < 100, "is not tried a third time");
    assert.ok(twice > 1000, `it took ${twice} ms, so it was not hard enough`);
    const [next] = await ask("next", { properties: { b: {} } });
    assert.equal(next?.label, "b");
  });

  it("answers nothing for what is too large or was dropped", async () => {
    assert.deepEqual(await ask("large", { properties: { ["x".repeat(6_000_000)]: {} } }), []);
    const dropped = new AbortController();
    const request = { text: "{}", offset: 1, schema: true, schemaKey: "d" };
    const waiting = assistant.proposals(request, dropped.signal);
    dropped.abort();
    assert.deepEqual(await waiting, []);
  });
});
