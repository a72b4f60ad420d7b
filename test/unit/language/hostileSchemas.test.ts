import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonValue } from "../../../src/core/json/jsonValue";
import { LanguageClient } from "../../../src/language/languageClient";
import { someOf } from "../../editor/someOf";
import { countedReads } from "../../fixtures/countedReads";
import { hostileSchemas } from "../../fixtures/hostileSchemas";
import { never, useLanguageClients } from "./useLanguageClients";

describe("LanguageClient", () => {
  const bench = useLanguageClients();
  const { check, stateOf } = bench;

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
        await bench.hasty.check({ schema: {}, text: "{}" }, never);
        const found = await bench.hasty.check({ schema, text: payload }, never);
        assert.equal(found.state, "unchecked");
        assert.ok(found.reason?.includes(evil), found.reason);
        const next = { schema: { type: "object" }, text: "{}" };
        assert.equal((await bench.hasty.check(next, never)).state, "valid");
      });
    }

    it("delays no other waiting text", async () => {
      const schema = { pattern: evil };
      const asked = ['"b"', text, '"aa"', "1"].map((one) =>
        bench.hasty.check({ schema, text: one }, never),
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
            const { problems } = await bench.client.check({ schema, text: "{}" }, never);
            const indexes = [...problems.keys()];
            await bench.client.fixes(
              schema,
              { text: "{}", problems, indexes, indent: "  ", includesAll: true },
              never,
            );
          },
          () => bench.client.sample(schema, { mode: "full" }, never),
          () => bench.client.complete({ schema, text: "{}", offset: 1 }, never),
          () => bench.client.explain({ schema, text: '{"p0": 1}', offset: 3 }, never),
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
      const found = await bench.hasty.check({ schema, text: JSON.stringify(value) }, never);
      assert.equal(found.state, "unchecked");
      assert.equal((await bench.hasty.check({ schema: {}, text: "{}" }, never)).state, "valid");
    });

    it("is given up when it takes too much memory", async () => {
      const small = new LanguageClient({
        workerPath: bench.workerPath,
        memoryLimitMb: 24,
        deadlineMs: 20_000,
      });
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
        assert.ok(states.includes(await stateOf(schema, payload, bench.patient)));
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
          await bench.client.complete({ schema, text: payload, offset }, never);
          await bench.client.explain({ schema, text: payload, offset }, never);
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
