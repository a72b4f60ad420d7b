import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonObject, JsonValue } from "../../../../src/core/json/jsonValue";
import { describeChanges } from "../../../../src/core/skill/compare/describeChanges";
import { describeSkill } from "../../../../src/core/skill/description/describeSkill";
import { english } from "../../../../src/core/text/language";
import { heldBy } from "../../../fixtures/processorTime";
import { fixtureNow, fullSkill } from "../../../fixtures/skillDetail";

const registry = { name: "registry.example", builtIn: false };
const context = { registry, now: fixtureNow, language: english };

/** Schemas that cost seconds where each place, reference or name is gone through for each other. */
const schemas: Readonly<Record<string, (version: number) => JsonObject>> = {
  "50,000 definitions": (version) => ({
    $ref: "#/$defs/d0",
    $defs: members(50_000, "d", (at) => ({
      title: `${version}`,
      properties: {
        a: { $ref: `#/$defs/d${at + 1}` },
        b: { $ref: `#/$defs/d${(at * 7) % 50_000}` },
      },
    })),
  }),
  "references that double at each step": (version) => ({
    $ref: "#/$defs/d0",
    $defs: members(40, "d", (at) => {
      const next = { $ref: `#/$defs/d${at + 1}` };
      return { properties: { a: next, b: next, c: { maxLength: version } }, allOf: [next, next] };
    }),
  }),
  "200 required members, each the whole again": (version) => ({
    required: names(200),
    properties: members(200, "p", () => ({ $ref: "#" })),
    maxProperties: version,
  }),
  "500,000 required names": (version) => ({ required: names(500_000).map((p) => p + version) }),
  "100,000 properties": (version) => ({
    properties: members(100_000, "p", (at) => ({ maxLength: at + version })),
  }),
  "100,000 malformed patterns": (version) => ({
    patternProperties: members(100_000, "^(a+)+(", () => ({ pattern: "((", maxLength: version })),
  }),
  "64 layers of 5,000 required names": (version) => ({
    minProperties: version,
    allOf: names(64).map(() => ({
      required: names(5000),
      properties: members(300, "p", () => ({ $ref: "#" })),
    })),
  }),
  "references of 40,000 characters": (version) => ({
    properties: members(300, "p", (at) => ({ $ref: `#/${"a/".repeat(20_000)}${at + version}` })),
  }),
  "100,000 alternatives": (version) => ({
    anyOf: names(100_000).map((p, at) => ({ title: p, minimum: at + version })),
  }),
};

describe("a hostile schema", () => {
  for (const [what, make] of Object.entries(schemas)) {
    const [before, after] = [make(1), make(2)].map((inputSchema) => ({
      ...fullSkill,
      inputSchema,
      manifest: { inputSchema },
    }));
    if (before === undefined || after === undefined) continue;

    it(`holds the page up for a moment at most: ${what}`, async () => {
      const { held } = await heldBy(async () => void describeSkill(before, context));
      // About 60 ms at most; without its bounds seconds.
      assert.ok(held < 500, `${held} ms`);
    });

    it(`holds a comparison up for a moment at most, which says that it is not all: ${what}`, async () => {
      let note: string | undefined;
      const { held } = await heldBy(async () => {
        const { groups } = describeChanges(before, after, english);
        note = groups.find(({ part }) => part === "input")?.note;
      });
      assert.ok(held < 500, `${held} ms`);
      if (!what.startsWith("200")) assert.match(note ?? "", /too large to compare/);
    });
  }

  it("shows which properties are required, however many there are", () => {
    const inputSchema = {
      required: names(1500).reverse(),
      properties: members(1500, "p", () => ({})),
    };
    const { input } = describeSkill({ ...fullSkill, inputSchema }, context);
    assert.equal(input?.outline.children.length, 300);
    assert.ok(input?.outline.children.every(({ required }) => required));
    assert.match(input?.outline.note ?? "", /^1,?200 more parts are not shown/);
  });
});

function names(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `p${at}`);
}

function members(count: number, name: string, make: (at: number) => JsonValue): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, make(at)]));
}
