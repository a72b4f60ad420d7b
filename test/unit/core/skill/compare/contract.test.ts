import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { describe, it } from "mocha";
import { canonicalText, type JsonValue } from "../../../../../src/core/json/jsonValue";
import {
  type Contract,
  contractHash,
  readContract,
} from "../../../../../src/core/skill/compare/contract";
import type { SkillDetail } from "../../../../../src/core/skill/skill";
import { skipWithout } from "../../../../fixtures/tools";
import { reviewedSkill } from "../../review/reviewedSkill";

const digest = (text: string) => createHash("sha256").update(text, "utf8").digest("hex");

function reading(changes: Partial<SkillDetail> = {}) {
  return readContract(reviewedSkill(changes), digest);
}

const withOthers = {
  network: false,
  browser: false,
  filesystem: "none",
  secretCount: 0,
  secretNames: [],
} as const;

function contractOf(changes: Partial<SkillDetail> = {}): Contract {
  const read = reading(changes);
  return read.ok ? read.contract : assert.fail(read.unknown);
}

describe("the contract of a skill", () => {
  it("contains declared parts, and null for the others", () => {
    assert.deepEqual(contractOf({ outputSchema: undefined, permissions: undefined }), {
      inputSchema: { type: "object", properties: { text: { type: "string" } } },
      outputSchema: null,
      permissions: null,
      runtime: { type: "http", host: "run.plainworks.example" },
      publisher: "plainworks",
      prices: [{ billingModel: "per_call", unitAmountCents: 2, currency: "USD" }],
    });
  });

  const hosts: readonly (readonly [runtime: SkillDetail["runtime"], host: string | null])[] = [
    [{ type: "http", entry: "https://RUN.example:443/a?b" }, "run.example"],
    [{ type: "mcp", entry: "https://run.example:8443/" }, "run.example:8443"],
    [{ type: "http", entry: "http://RUN.example:80/a" }, "http://run.example"],
    [{ type: "mcp", entry: "ws://run.example/" }, "ws://run.example"],
    [{ type: "local", entry: "[restricted local runtime]" }, null],
    [{ type: "local", entry: "c:\\tools\\run.exe" }, null],
    [{ type: "http" }, null],
  ];
  for (const [runtime, host] of hosts) {
    it(`has the host ${host} for ${runtime?.entry ?? "nothing"}`, () => {
      assert.equal(contractOf({ runtime }).runtime?.host, host);
    });
  }

  const same: readonly (readonly [what: string, changes: Partial<SkillDetail>])[] = [
    [
      "examples and support address",
      { examples: [{ name: "x", input: 1 }], supportUrl: "https://x.example" },
    ],
    [
      "the path of its address",
      { runtime: { type: "http", entry: "https://run.plainworks.example/2" } },
    ],
    [
      "inactive prices, and the order of prices",
      {
        prices: [
          { billingModel: "subscription", status: "retired" },
          { billingModel: "per_call", unitAmountCents: 2, currency: "USD", status: "active" },
        ],
      },
    ],
    [
      "the order of members",
      { inputSchema: { properties: { text: { type: "string" } }, type: "object" } },
    ],
  ];
  for (const [what, changes] of same) {
    it(`does not change with ${what}`, () => {
      assert.deepEqual(reading(changes), reading());
    });
  }

  const parts: readonly (readonly [part: string, changes: Partial<SkillDetail>])[] = [
    ["inputSchema", { inputSchema: { type: "object" } }],
    ["outputSchema", { outputSchema: true }],
    ["permissions", { permissions: undefined }],
    ["runtime", { runtime: { type: "http", entry: "https://elsewhere.example" } }],
    ["prices", { prices: [{ billingModel: "free" }] }],
  ];
  for (const [part, changes] of parts) {
    it(`changes with ${part}`, () => {
      assert.notDeepEqual(reading(changes), reading());
    });
  }

  it("is known if only numbers outside of it lose digits", () => {
    assert.equal(reading({ lossyNumbers: [7] }).ok, true);
  });

  const unknown: readonly (readonly [string, why: string, Partial<SkillDetail>])[] = [
    ["prices", "no answer", { prices: undefined, unanswered: ["prices"] }],
    ["publisher", "no answer", { unanswered: ["publisher"] }],
    ["values", "an infinite number", { inputSchema: { const: Number.POSITIVE_INFINITY } }],
    ["values", "an unpaired surrogate", { outputSchema: { const: "\ud800" } }],
    ["values", "a number that lost digits", { outputSchema: { const: 7 }, lossyNumbers: [7] }],
    ["values", "many that lost digits", { outputSchema: { const: 7 }, lossyNumbers: "many" }],
    ["manifest", "only a Project Key", { isManifestUnknown: true, permissions: undefined }],
    ["values", "a repeated name", { repeatsNames: true }],
    [
      "permissions",
      "an unknown permission",
      { permissions: { ...withOthers, others: ["subprocess"] } },
    ],
  ];
  for (const [part, why, changes] of unknown) {
    it(`is unknown if one of these cannot be hashed: ${part}, ${why}`, () => {
      const read = reading(changes);
      assert.equal(read.ok ? "known" : read.unknown, part);
    });
  }
});

/** A value that JSON writers serialize differently. */
const hard: JsonValue = JSON.parse(String.raw`{
  "": null, "\u20ac": "Euro", "\r": "return", "\ufb33": "dalet", "1": "one", "\ud83d\ude00": "emoji",
  "\u0080": "control", "\u00f6": "o umlaut", "__proto__": "a name as any other",
  "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001, 1e-7, 1.5e-6,
    -0, 1e21, 100.0, 5e-324, 9007199254740993, -12.50],
  "text": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/\u2028\u007f", "literals": [null, true, false]
}`);

describe("canonical JSON", () => {
  const cases: readonly (readonly [text: string, canonical: string])[] = [
    [
      // The example of RFC 8785, section 3.2.2.
      String.raw`{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false]}`,
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    ],
    [
      String.raw`{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}`,
      '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\ud83d\ude00":5,"\ufb33":3}',
    ],
  ];
  for (const [text, canonical] of cases) {
    it(`matches RFC 8785 for ${text.slice(0, 30)}…`, () => {
      assert.equal(canonicalText(JSON.parse(text)), canonical);
    });
  }
});

describe("a contract's hash", () => {
  const file = resolve("out/test/review/contract.json");
  const contract = { ...contractOf(), inputSchema: hard };
  const expected = contractHash(contract, digest);

  it("has its own version", () => {
    assert.match(expected, /^contract-v1:sha256-[0-9a-f]{64}$/);
  });

  for (const [name, script] of [
    ["Node.js", "test/fixtures/review/contractHash.mjs"],
    ["Python 3.11", "test/fixtures/review/contractHash.py"],
  ] as const) {
    it(`equals the result of ten lines of ${name} for the repository's file`, async function () {
      const program = name === "Node.js" ? process.execPath : skipWithout(this, name);
      const { mkdir, writeFile } = await import("node:fs/promises");
      await mkdir(resolve("out/test/review"), { recursive: true });
      await writeFile(file, JSON.stringify({ format: 1, contract }, undefined, 2));
      const run = spawnSync(program, [resolve(script), file]);
      assert.equal(run.stderr.toString("utf8"), "");
      assert.equal(run.stdout.toString("utf8").trim(), expected);
    });
  }
});
