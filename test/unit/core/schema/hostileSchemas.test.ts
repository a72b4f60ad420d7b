import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonObject, JsonValue } from "../../../../src/core/json/jsonValue";
import { readSchema } from "../../../../src/core/schema/read/readSchema";
import { schemaOutline } from "../../../../src/core/schema/schemaOutline";
import { whySchemaIsTooLarge } from "../../../../src/core/schema/schemaSize";
import { describeChanges } from "../../../../src/core/skill/compare/describeChanges";
import { describeSkill } from "../../../../src/core/skill/description/describeSkill";
import { english } from "../../../../src/core/text/language";
import { someOf } from "../../../editor/someOf";
import { countedReads } from "../../../fixtures/countedReads";
import { fixtureNow, fullSkill } from "../../../fixtures/skillDetail";

const registry = { name: "registry.example", builtIn: false };
const context = { registry, now: fixtureNow, language: english };

/** Schemas that take seconds if each place, reference or name is visited for each other one. */
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
  "150,000 required names": (version) => ({ required: names(150_000).map((p) => p + version) }),
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

/** One schema of each kind: many names, many places, and few places that references multiply. */
const kinds = [
  "references that double at each step",
  "200 required members, each the whole again",
  "150,000 required names",
  "64 layers of 5,000 required names",
  "100,000 alternatives",
];

/** The maximum number of reads of a schema: the names of its largest objects, and a part of their content. */
const maxReads = 1_000_000;

describe("a hostile schema", () => {
  for (const [what, make] of someOf(schemas, kinds)) {
    const counted = (version: number) => {
      const { value: inputSchema, reads } = countedReads(make(version), maxReads);
      return { skill: { ...fullSkill, inputSchema, manifest: { inputSchema } }, reads };
    };

    it(`is outlined in limited part, or is too large to be read: ${what}`, () => {
      if (whySchemaIsTooLarge(make(1)) !== undefined) return;
      const { skill, reads } = counted(1);
      const outline = schemaOutline(readSchema(skill.inputSchema), english);
      assert.ok(reads() > 0);
      assert.ok(JSON.stringify([outline, describeSkill(skill, context)]).length < 1_000_000);
    });

    it(`is compared in limited part with a note: ${what}`, () => {
      const { groups } = describeChanges(counted(1).skill, counted(2).skill, english);
      const told = JSON.stringify(groups.find(({ part }) => part === "inputSchema"));
      if (!what.startsWith("200")) assert.match(told, /too large to compare/);
      assert.ok(JSON.stringify(groups).length < 1_000_000);
    });
  }

  it("shows the required properties, however many there are", () => {
    const inputSchema = {
      required: names(1500).reverse(),
      properties: members(1500, "p", () => ({})),
    };
    const { children, note } = schemaOutline(readSchema(inputSchema), english);
    assert.equal(children.length, 300);
    assert.ok(children.every(({ required }) => required));
    assert.match(note, /^1,?200 more parts are not shown/);
  });
});

function names(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `p${at}`);
}

function members(count: number, name: string, make: (at: number) => JsonValue): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, make(at)]));
}
