import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { isWholeSuite } from "../../fixtures/wholeSuite";
import { never, useLanguageClients } from "./useLanguageClients";

describe("LanguageClient", () => {
  const bench = useLanguageClients();
  const { check, stateOf } = bench;

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
        assert.equal(await stateOf(schema, text, bench.patient), state));
    }

    const levels = isWholeSuite() ? 500_000 : 100_000;
    const deepest = [
      "[".repeat(levels) + "]".repeat(levels),
      `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`,
    ];
    for (const [index, text] of deepest.entries()) {
      it(`is nested ${levels} deep, and every question ends: ${"[{".charAt(index)}`, async () => {
        const schema = { type: "null", items: { $ref: "#" }, properties: { a: { $ref: "#" } } };
        const { state, problems } = await bench.patient.check({ schema, text }, never);
        assert.equal(state, "invalid");
        const indexes = [...problems.keys()];
        await bench.patient.fixes(
          schema,
          { text, problems, indexes, indent: "  ", includesAll: true },
          never,
        );
        const place = { schema, text: text.slice(0, 1_900_000), offset: 9 };
        const name = index === 0 ? [] : ["a"];
        const proposals = await bench.patient.complete(place, never);
        assert.deepEqual(
          proposals.map(({ label }) => label),
          name,
        );
        assert.deepEqual((await bench.patient.explain(place, never))?.texts, ["null"]);
        assert.equal(await stateOf({}, text, bench.patient), "valid");
        assert.equal(await stateOf({}, text.slice(0, -1), bench.patient), "invalid");
      });
    }

    it("has a million failures counted in time", async () => {
      const text = `[${"1,".repeat(1_000_000)}1]`;
      const found = await check({ items: { type: "string" } }, text, bench.patient);
      assert.deepEqual([found.state, found.problems.length], ["invalid", 200]);
      assert.ok(found.hiddenProblems >= 100_000);
    });
  });
});
