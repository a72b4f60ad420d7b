import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import { skillManifestSchema } from "../../../src/core/manifest/manifestFile";
import { fixInput } from "../../../src/core/payload/fixes/payloadFix";
import { payloadFixes } from "../../../src/core/payload/fixes/payloadFixes";
import { applyEdits } from "../../../src/core/payload/fixes/textEdit";
import { testableSchema } from "../../../src/core/schema/read/testableSchema";
import { english } from "../../../src/core/text/language";
import { checkManifest } from "../../../src/language/checkManifest";
import { compileSchema } from "../../../src/language/compileSchema";
import { catalog } from "../../../src/localRegistry/catalog/catalog";

const schema = testableSchema(skillManifestSchema);
const compiled = compileSchema(schema);
const check = (text: string) => checkManifest(text, compiled, english);

const object = { type: "object", properties: { a: { type: "string" } } };
const whole = {
  schemaVersion: "0.1",
  name: "word-count",
  displayName: "Word count",
  version: "1.2.0",
  description: "Counts the words of a text, for agents that write to a limit.",
  tags: ["text", "count"],
  author: { name: "Plainworks", url: "https://plainworks.example" },
  runtime: { type: "http", entrypoint: "https://run.example/words" },
  permissions: { network: false, browser: false, filesystem: "none", secrets: [] as unknown[] },
  inputSchema: object,
  outputSchema: object,
};
const { permissions } = whole;
const schemaOfA = (a: object) => ({ type: "object", properties: { a } });

/** `code severity pointer` of each problem. */
const found = (manifest: unknown) =>
  check(JSON.stringify(manifest, undefined, 2)).problems.map(
    ({ code, severity, pointer }) => `${code} ${severity} ${pointer}`,
  );

/** Returns a manifest after the first available fix of its problems. */
function mended(manifest: unknown): unknown {
  const text = JSON.stringify(manifest, undefined, 2);
  const { problems } = check(text);
  const input = fixInput({ text, problems, indent: "  " }, schema);
  const [fix] = problems.flatMap((problem) => payloadFixes(input, problem));
  return fix && JSON.parse(applyEdits(text, fix.edits));
}

function deep(levels: number): object {
  return levels === 0 ? {} : { not: deep(levels - 1) };
}

const ghToken = `ghp_${"a1B2".repeat(9)}`;
const { name: _, ...nameless } = whole;

/** The violations of rules: the change to a manifest, the finding, and the manifest after the fix, if there is one. */
const broken: Readonly<
  Record<string, readonly [change: object, found: readonly string[], fixed?: object]>
> = {
  "a key in a default": [
    { inputSchema: { type: "object", properties: { a: { type: "string", default: ghToken } } } },
    ["secret error "],
  ],
  "a password in the address of the runtime": [
    { runtime: { type: "http", entrypoint: "https://u:p@run.example/words" } },
    ["secret error "],
  ],
  "a key in the address of the author": [
    { author: { name: "Plainworks", url: "https://plainworks.example/?api_key=abcdef123456" } },
    ["secret error "],
  ],
  "a sample of a key": [
    { examples: [{ input: { a: ghToken }, output: {} }] },
    ["additionalProperties warning /examples", "secret warning "],
  ],
  "another format": [
    { schemaVersion: "1" },
    ["const error /schemaVersion"],
    { schemaVersion: "0.1" },
  ],
  "a name that is no slug": [{ name: "Word Count" }, ["name error /name"], { name: "word-count" }],
  "a name of two letters": [{ name: "wc" }, ["name error /name"]],
  "a direction sign in a name": [
    { displayName: "Word \u202Etnuoc" },
    ["hidden warning /displayName"],
  ],
  "an invisible sign in a description": [
    { description: `${whole.description}\u200B` },
    ["hidden warning /description"],
  ],
  "an invisible sign in a tag": [
    { tags: ["te\u200Bxt"] },
    ["hidden warning /tags/0"],
    { tags: ["text"] },
  ],
  "an invisible sign in the name of a property": [
    { inputSchema: { type: "object", properties: { "a\u200B": { type: "string" } } } },
    ["hidden warning /inputSchema/properties"],
    { inputSchema: object },
  ],
  "no display name": [{ displayName: "" }, ["minLength error /displayName"]],
  "a version of two numbers": [
    { version: "1.2" },
    ["version error /version"],
    { version: "1.2.0" },
  ],
  "a version with a v": [{ version: "v1.2.0" }, ["version error /version"], { version: "1.2.0" }],
  "a version with garbage": [{ version: "1.2.0garbage" }, ["version error /version"]],
  "a short description": [
    { description: "Counts words." },
    ["review-description warning /description"],
  ],
  "a description of a letter": [
    { description: "x" },
    ["minLength error /description", "review-description warning /description"],
  ],
  "no tags": [{ tags: [] }, ["minItems error /tags"]],
  "a text for tags": [{ tags: "text" }, ["type error /tags"]],
  "repeated tags": [
    { tags: ["text", " text", ""] },
    ["minLength error /tags/2", "tags warning /tags"].toSorted(),
    { tags: ["text"] },
  ],
  "an unknown runtime": [{ runtime: { type: "wasm" } }, ["enum error /runtime/type"]],
  "no entry point": [{ runtime: { type: "http" } }, ["required error /runtime"]],
  "no server": [{ runtime: { type: "mcp" } }, ["required error /runtime"]],
  "no program": [{ runtime: { type: "local" } }, ["required error /runtime"]],
  "an address that is none": [
    { runtime: { type: "http", entrypoint: "not a url" } },
    ["review-address error /runtime/entrypoint"],
  ],
  "an http address": [
    { runtime: { type: "mcp", serverUrl: "http://mcp.example/" } },
    ["review-https warning /runtime/serverUrl"],
    { runtime: { type: "mcp", serverUrl: "https://mcp.example/" } },
  ],
  "a loopback address": [
    { runtime: { type: "http", entrypoint: "http://127.0.0.1/" } },
    ["review-reach warning /runtime/entrypoint"],
  ],
  "an address of the author in their own network": [
    { author: { name: "Plainworks", url: "http://intranet/" } },
    ["review-reach warning /author/url"],
  ],
  "an address with a placeholder": [
    { runtime: { type: "http", entrypoint: "https://run.example/{id}" } },
    ["review-placeholder warning /runtime/entrypoint"],
  ],
  filler: [
    {
      description: "TODO: describe",
      tags: ["todo"],
      inputSchema: schemaOfA({ description: "Description here" }),
    },
    [
      "review-filler warning /description",
      "review-filler warning /inputSchema/properties/a/description",
      "review-filler warning /tags/0",
    ],
  ],
  "a blank program": [
    { runtime: { type: "local", command: " " } },
    ["review-command error /runtime/command"],
  ],
  "a local program": [
    { runtime: { type: "local", command: "words" } },
    ["review-packaging warning /runtime/command"],
  ],
  "a permission of another type": [
    { permissions: { ...permissions, network: "yes" } },
    ["type error /permissions/network"],
  ],
  "unknown access to files": [
    { permissions: { ...permissions, filesystem: "all" } },
    ["enum error /permissions/filesystem"],
  ],
  "writing files": [
    { permissions: { ...permissions, filesystem: "write" } },
    ["review-high warning /permissions/filesystem"],
  ],
  "a secret": [
    { permissions: { ...permissions, secrets: ["TOKEN"] } },
    ["review-high warning /permissions/secrets"],
  ],
  "all secrets": [
    { permissions: { ...permissions, secrets: ["*"] } },
    ["review-high warning /permissions/secrets", "review-secret error /permissions/secrets/0"],
  ],
  "network and browser": [
    { permissions: { ...permissions, network: true, browser: true } },
    ["review-browsing warning /permissions/browser"],
  ],
  "a list for a schema": [{ outputSchema: [] }, ["type error /outputSchema"]],
  "a schema without a type": [
    { inputSchema: { properties: object.properties } },
    ["review-object error /inputSchema"],
    { inputSchema: object },
  ],
  "a schema of a list": [
    { outputSchema: { type: "array", properties: object.properties } },
    ["review-object error /outputSchema", "schema warning /outputSchema/properties"],
  ],
  "a schema without properties": [
    { inputSchema: { type: "object" } },
    ["review-properties warning /inputSchema"],
  ],
  "a schema that is none": [
    { inputSchema: { ...object, required: "a" } },
    ["type error /inputSchema/required"],
  ],
  "a schema that is none in its own dialect": [
    {
      inputSchema: {
        ...object,
        $schema: "http://json-schema.org/draft-04/schema#",
        minimum: 0,
        exclusiveMinimum: 1,
      },
    },
    ["schema warning /inputSchema/minimum", "type error /inputSchema/exclusiveMinimum"],
  ],
  "mistakes beside an error, and behind a misspelled keyword": [
    {
      inputSchema: { ...schemaOfA({ type: "strng", enum: [1, 1] }), required: ["A"] },
      outputSchema: { type: "object", propertes: { a: {} }, required: ["A"] },
    },
    [
      "enum error /inputSchema/properties/a/type",
      "schema warning /inputSchema/properties/a/enum/1",
      "schema warning /inputSchema/required/0",
      "schema warning /outputSchema/propertes",
      "schema warning /outputSchema/required/0",
    ],
  ],
  "a schema of another document": [
    { outputSchema: { ...object, allOf: [{ $ref: "https://elsewhere.example/a.json" }] } },
    ["schema warning /outputSchema/allOf/0/$ref"],
  ],
  "a schema whose pattern is none": [
    { inputSchema: { type: "object", properties: { a: { pattern: "(" } } } },
    ["format warning /inputSchema/properties/a/pattern"],
  ],
  "a required name that differs from its property": [
    { inputSchema: { ...object, required: ["A"] } },
    ["schema warning /inputSchema/required/0"],
    { inputSchema: { ...object, required: ["a"] } },
  ],
  "a misspelled keyword": [
    { inputSchema: { type: "object", properties: { a: { tpye: "string" } } } },
    ["schema warning /inputSchema/properties/a/tpye"],
    { inputSchema: object },
  ],
  "a schema of an unknown dialect": [
    { inputSchema: { ...object, $schema: "https://elsewhere.example/dialect" } },
    ["schema warning /inputSchema"],
  ],
  "an example that does not fit": [
    { inputSchema: { ...object, examples: [{ a: "b" }, { a: 1 }] } },
    ["example warning /inputSchema/examples/1/a"],
  ],
  "an example of the manifest that does not fit": [
    { examples: [{ input: { a: 1 }, output: { a: 2 } }] },
    [
      "additionalProperties warning /examples",
      "example warning /examples/0/input/a",
      "example warning /examples/0/output/a",
    ],
  ],
  "a member that is not known": [{ homepage: "a" }, ["additionalProperties warning /homepage"]],
};

describe("checkManifest", () => {
  it("finds nothing in a valid manifest", () => {
    assert.deepEqual(found(whole), []);
  });

  it("reports a missing member", () => {
    assert.deepEqual(found(nameless), ["required error "]);
  });

  for (const [what, [change, problems, fixed]] of Object.entries(broken)) {
    it(`finds ${what}${fixed === undefined ? "" : ", and fixes it"}`, () => {
      const manifest = { ...whole, ...change };
      assert.deepEqual(found(manifest).toSorted(), problems);
      if (fixed !== undefined) assert.deepEqual(mended(manifest), { ...whole, ...fixed });
    });
  }

  it("knows keywords of other dialects and of extensions, and runs no pattern that backtracks", () => {
    const a = { id: "a", note: "b", "x-types": 1, nullable: true, label: "c", dependencies: {} };
    const slow = { pattern: "^(b+)\\1+c$", default: "b" };
    for (const part of [a, slow])
      assert.deepEqual(found({ ...whole, inputSchema: schemaOfA(part) }), []);
  });

  it("accepts a pattern that spells an invisible sign as an escape, and one in a sample", () => {
    const inputSchema = { ...schemaOfA({ pattern: "ESC" }), examples: [{ a: "b\u200B" }] };
    const text = JSON.stringify({ ...whole, inputSchema });
    assert.deepEqual(check(text.replace("ESC", "[\\u200B]$")).problems, []);
  });

  for (const [what, document] of Object.entries({
    "an MCP tool": { name: "count_words", description: "Counts.", inputSchema: object },
    "a list of MCP tools": { tools: [{ name: "count_words", inputSchema: object }] },
    "a client's MCP servers": { mcpServers: { words: { command: "words" } } },
    "an editor's MCP servers": { servers: { words: { url: "https://mcp.example/" } } },
    "an entry of an MCP registry": { name: "a/b", version: "1.0.0", packages: [] },
    "an agent card": { name: "A", url: "https://a.example/", capabilities: {}, skills: [] },
    "an OpenAPI document": { openapi: "3.1.0", info: {}, servers: [], paths: {}, tags: [] },
    "an older OpenAPI document": { swagger: "2.0", info: {}, paths: {} },
  })) {
    it(`finds one problem in ${what}`, () => assert.deepEqual(found(document), ["kind error "]));
  }

  it("finds the missing members of an unfinished manifest", () => {
    for (const start of [
      {},
      { name: "a" },
      { schemaVersion: "0.1", tools: [], inputSchema: object },
    ]) {
      const told = found(start);
      assert.ok(told.includes("required error "), told.join());
    }
  });

  it("rejects a manifest only for errors", () => {
    const states = [
      {},
      { description: "Counts words." },
      { permissions: { ...permissions, secrets: ["*"] } },
    ];
    assert.deepEqual(
      states.map((change) => check(JSON.stringify({ ...whole, ...change })).state),
      ["valid", "valid", "invalid"],
    );
  });

  it("marks only the bracket of a list over several lines", () => {
    const text = JSON.stringify({ ...whole, tags: ["a", "a"] }, undefined, 2);
    const [problem] = check(text).problems;
    assert.ok(problem?.mark);
    assert.equal(text.slice(problem.mark.start, problem.mark.end), "[");
  });

  it("reads no inherited member", () => {
    const text = JSON.stringify(whole).replace(
      "{",
      '{"__proto__":{"name":"A","runtime":{"type":"__proto__"}},',
    );
    assert.deepEqual(
      check(text).problems.map(({ code, pointer }) => `${code} ${pointer}`),
      ["additionalProperties /__proto__"],
    );
  });

  it("skips a manifest that is larger than a registry accepts", () => {
    const large = { ...whole, description: "a".repeat(5_000_000) };
    assert.deepEqual(found(large), ["size error "]);
  });

  for (const [what, schema] of Object.entries({
    "refers to itself": { ...object, $ref: "#", examples: [{ a: "b" }] },
    "has 125,000 values": { ...object, enum: Array.from({ length: 125_000 }, () => 0) },
    "is 300 levels deep": { ...object, not: deep(300) },
  })) {
    it(`ends with a schema that ${what}`, () => {
      const { problems } = check(JSON.stringify({ ...whole, inputSchema: schema }));
      const told = problems.map(({ code, pointer }) => `${code} ${pointer}`);
      assert.ok(
        told.every((one) => one === "schema /inputSchema"),
        told.join(),
      );
    });
  }

  it("reports 10,000 equal tags once", () => {
    assert.deepEqual(found({ ...whole, tags: Array.from({ length: 10_000 }, () => "a") }), [
      "tags warning /tags",
    ]);
  });

  /** The findings about these sample skills, all of which are true. */
  const trueOf: Readonly<Record<string, readonly string[]>> = {
    "draft-writer": [
      "review-packaging warning /runtime/command",
      "review-high warning /permissions/secrets",
    ],
    "flaky-fetch": ["review-browsing warning /permissions/browser"],
    "status-notice": ["review-high warning /permissions/secrets"],
    "vault-rotate": [
      "review-packaging warning /runtime/command",
      "review-high warning /permissions/secrets",
    ],
  };
  for (const { slug, releases } of catalog) {
    it(`finds only true problems in the sample ${slug}`, () => {
      assert.deepEqual(found(releases[0].manifest), trueOf[slug] ?? []);
    });
  }
});
