import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonObject, JsonValue } from "../../../../../src/core/json/jsonValue";
import { schemaChangeText } from "../../../../../src/core/schema/compare/schemaChange";
import { schemaChanges } from "../../../../../src/core/schema/compare/schemaChanges";
import { describeChanges } from "../../../../../src/core/skill/compare/describeChanges";
import type { Permissions } from "../../../../../src/core/skill/permissions";
import type { SkillDetail } from "../../../../../src/core/skill/skill";
import { english } from "../../../../../src/core/text/language";
import { fullSkill } from "../../../../fixtures/skillDetail";

const permissions: Permissions = {
  network: true,
  browser: false,
  filesystem: "none",
  secretCount: 1,
  secretNames: [],
};

const marks = { breaking: "!!", check: "!", safe: "" };

function marksOf(before: Partial<SkillDetail>, after: Partial<SkillDetail>): string[] {
  const { groups } = describeChanges(
    { ...fullSkill, ...before },
    { ...fullSkill, ...after },
    english,
  );
  return groups.flatMap(({ part, changes, note }) => [
    ...changes.map((it) => [part, it.kind, it.path, marks[it.impact]].join(" ").trim()),
    ...(note === "" ? [] : [`${part} note`]),
  ]);
}

describe("describeChanges", () => {
  it("finds no difference between a skill and itself", () => {
    const difference = describeChanges(fullSkill, fullSkill, english);
    assert.deepEqual([difference.groups, difference.needsLook], [[], false]);
    assert.match(difference.summary, /^The same: permissions, /);
  });

  it("does not call schemas equal that are written differently", () => {
    const same = describeChanges(fullSkill, fullSkill, english).summary;
    const { summary, groups } = describeChanges(
      { ...fullSkill, inputSchema: { description: "One." } },
      { ...fullSkill, inputSchema: { description: "Another." } },
      english,
    );
    assert.deepEqual(
      groups.flatMap(({ changes }) => changes.map(({ text }) => text)),
      ["differs only in how it is written, such as in descriptions"],
    );
    assert.notEqual(summary, same);
  });

  const given = (change: Partial<Permissions>): [Partial<SkillDetail>, Partial<SkillDetail>] => [
    { permissions },
    { permissions: { ...permissions, ...change } },
  ];
  const object = (properties: JsonObject, required: string[] = []): JsonObject => ({
    type: "object",
    properties,
    required,
  });
  const input = (before: JsonValue | undefined, after: JsonValue | undefined) =>
    [{ inputSchema: before }, { inputSchema: after }] as const;
  const output = (before: JsonValue | undefined, after: JsonValue | undefined) =>
    [{ outputSchema: before }, { outputSchema: after }] as const;

  const cases: [string, readonly [Partial<SkillDetail>, Partial<SkillDetail>], string[]][] = [
    ["files it may write", given({ filesystem: "write" }), ["permissions added  !"]],
    ["a browser", given({ browser: true }), ["permissions added  !"]],
    ["no network", given({ network: false }), ["permissions removed"]],
    ["fewer secrets", given({ secretCount: 0 }), ["permissions removed"]],
    [
      "a secret's name that is not known",
      given({ secretNames: ["X"] }),
      ["permissions unknown  !"],
    ],
    [
      "another secret",
      [
        { permissions: { ...permissions, secretNames: ["READ_ONLY"] } },
        { permissions: { ...permissions, secretNames: ["ADMIN"] } },
      ],
      ["permissions changed  !"],
    ],
    [
      "fewer secrets, of which one is new",
      [
        { permissions: { ...permissions, secretCount: 2, secretNames: ["A", "B"] } },
        { permissions: { ...permissions, secretNames: ["ADMIN"] } },
      ],
      ["permissions changed  !"],
    ],
    ["a permission of an unknown name", given({ others: ["gpu"] }), ["permissions added  !"]],
    [
      "permissions that are no longer provided",
      [{ permissions }, { permissions: undefined }],
      ["permissions unknown  !"],
    ],
    [
      "permissions that are now provided",
      [{ permissions: undefined }, { permissions }],
      ["permissions unknown  !"],
    ],
    [
      "an input of another type",
      input(object({ a: { type: "string" } }, ["a"]), object({ a: { type: "integer" } }, ["a"])),
      ["inputSchema changed a !!"],
    ],
    [
      "an output of another type",
      output(object({ a: { type: "string" } }), object({ a: { type: "integer" } })),
      ["outputSchema changed a !!"],
    ],
    [
      "a looser `not`",
      input({ not: { maxLength: 9 } }, { not: { maxLength: 5 } }),
      ["inputSchema changed (not) !!"],
    ],
    [
      "a new required input property",
      input(object({}), object({ a: true }, ["a"])),
      ["inputSchema added a !!"],
    ],
    [
      "a new optional input property",
      input(object({}), object({ a: true })),
      ["inputSchema added a"],
    ],
    ["a removed input property", input(object({ a: {} }), object({})), ["inputSchema removed a !"]],
    ["a stricter input", input({}, { maxLength: 1 }), ["inputSchema tightened  !!"]],
    ["a looser input", input({ maxLength: 1 }, {}), ["inputSchema loosened"]],
    ["another default", input({ default: 1 }, { default: 2 }), ["inputSchema changed  !"]],
    ["a deprecated input", input({}, { deprecated: true }), ["inputSchema changed"]],
    [
      "an input schema that is no longer provided",
      input({}, undefined),
      ["inputSchema unknown  !"],
    ],
    ["a looser output", output({ maxLength: 1 }, {}), ["outputSchema loosened  !"]],
    ["a stricter output", output({}, { maxLength: 1 }), ["outputSchema tightened"]],
    ["a new output property", output(object({}), object({ a: {} })), ["outputSchema added a"]],
    [
      "a removed output property",
      output(object({ a: {} }), object({})),
      ["outputSchema removed a !!"],
    ],
    [
      "another runtime",
      [{ runtime: { type: "http", entry: "https://a" } }, { runtime: { type: "mcp" } }],
      ["runtime changed  !", "runtime unknown  !"],
    ],
    [
      "another price",
      [{ prices: [{ billingModel: "free" }] }, { prices: [{ billingModel: "per_call" }] }],
      ["prices changed  !"],
    ],
    [
      "a price that was not provided before",
      [{ prices: undefined }, { prices: [{ billingModel: "free" }] }],
      fullSkill.summary.billingModel === undefined ? ["prices unknown  !"] : ["prices changed  !"],
    ],
  ];
  for (const [what, [before, after], expected] of cases) {
    it(`marks ${what}`, () => assert.deepEqual(marksOf(before, after), expected));
  }

  it("reports that schemas are too large to compare", () => {
    const wide = (value: JsonValue) =>
      object(Object.fromEntries([...Array(600).keys()].map((n) => [`p${n}`, value])));
    const difference = describeChanges(
      { ...fullSkill, inputSchema: wide({}) },
      { ...fullSkill, inputSchema: wide({ type: "string" }) },
      english,
    );
    assert.equal(difference.groups[0]?.changes.length, 200);
    assert.notEqual(difference.groups[0]?.note, "");
  });

  it("escapes hidden characters, and truncates long texts", () => {
    const { groups } = describeChanges(
      { ...fullSkill, inputSchema: object({}) },
      { ...fullSkill, inputSchema: object({ ["a\u202Eb"]: {}, ["x".repeat(5000)]: {} }) },
      english,
    );
    const paths = groups[0]?.changes.map(({ path }) => path) ?? [];
    assert.deepEqual(paths, ["a\\u202Eb", `${"x".repeat(79)}…`]);
  });
});

describe("schemaChangeText", () => {
  const closed = { additionalProperties: false };
  const cases: [JsonValue, JsonValue, string][] = [
    [{}, { maxLength: 5 }, "at most 5 characters (was: none)"],
    [{ maxLength: 9 }, { maxLength: 5 }, "at most 5 characters (was: at most 9 characters)"],
    [{ minimum: 1 }, {}, "no longer: 1 or more"],
    [{ type: "string" }, { type: ["string", "null"] }, "string or null (was: string)"],
    [{ enum: ["a", "b"] }, { enum: ["a"] }, 'no longer allowed: "b"'],
    [{ enum: ["a"] }, { enum: ["a", null] }, "now also allowed: null"],
    [{}, { enum: [1, [2]] }, "only these are allowed now: 1, [2]"],
    [
      {},
      { const: { text: "x".repeat(100) } },
      `only these are allowed now: {"text":"${"x".repeat(70)}…`,
    ],
    [{ default: { b: 1, a: [] } }, { default: null }, 'default is now null (was: {"b":1,"a":[]})'],
    [
      { $ref: "https://a.example/x" },
      { $ref: "https://a.example/y" },
      "unresolved reference https://a.example/y (was: https://a.example/x), not compared",
    ],
    [{}, { $ref: "x:y" }, "now an unresolved reference (x:y), not compared"],
    [{ $ref: "x:y" }, {}, "no longer an unresolved reference (x:y)"],
    [
      {},
      { $schema: "http://json-schema.org/draft-07/schema#" },
      "written in another version of JSON Schema",
    ],
    [{ minLength: "1" }, { minLength: "2" }, "not compared: “minLength”"],
    [{ $ref: "x:y" }, { $ref: "x:y", title: "X" }, "unresolved reference x:y, not compared"],
    [{ oneOf: [{}] }, { anyOf: [{}] }, "several of the options may apply now"],
    [{ const: "x" }, {}, 'values other than "x" are now allowed too'],
    [{ default: 1 }, { default: 2 }, "default is now 2 (was: 1)"],
    [{}, { not: { type: "null" } }, "now limited: “not”"],
    [{ if: true }, {}, "no longer limited: conditional rules"],
    [{}, { contains: {} }, "now limited: “contains”"],
    [{}, { additionalProperties: false }, "no other properties (was: none)"],
    [{ properties: {} }, { properties: { a: { type: "integer" } } }, "new, optional: integer"],
    [{ properties: { a: {} } }, { properties: {} }, "no longer described"],
    [{ properties: { a: {} }, ...closed }, closed, "no longer allowed"],
    [
      { properties: { a: { type: "string" } } },
      { properties: { b: { type: "string" } } },
      "no longer described, possibly renamed to “b”",
    ],
    [{ oneOf: [{ title: "A" }, { title: "B" }] }, { oneOf: [{ title: "B" }] }, "option removed"],
    [true, false, "no value is allowed anymore"],
  ];
  for (const [before, after, words] of cases) {
    it(`returns “${words}”`, () => {
      const [change] = schemaChanges(before, after);
      assert.equal(change && schemaChangeText(change, english), words);
    });
  }
});
