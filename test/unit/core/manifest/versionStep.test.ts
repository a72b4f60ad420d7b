import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import { releaseChanges, versionFindings } from "../../../../src/core/manifest/versionStep";
import { english } from "../../../../src/core/text/language";
import type { Manifest } from "../../../../src/localRegistry/catalog/catalog";
import { publicManifest } from "../../../../src/localRegistry/catalog/skillResponses";
import { readLocalSkill } from "../../../../src/registry/decode/readSkillDetail";

const base = {
  schemaVersion: "0.1",
  name: "word-count",
  displayName: "Word count",
  version: "1.2.3",
  description: "Counts the words of a text.",
  tags: ["text"],
  runtime: { type: "http", entrypoint: "https://run.example/words" },
  permissions: { network: false, browser: false, filesystem: "none", secrets: ["TOKEN"] },
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
  outputSchema: { type: "object", properties: { words: { type: "integer" } } },
} as const;
const skill = (manifest: object) => {
  const read = readLocalSkill(manifest as never);
  assert.ok(read);
  return read;
};

const breaking = { inputSchema: { ...base.inputSchema, required: ["text"] } };
const added = {
  outputSchema: {
    ...base.outputSchema,
    properties: { ...base.outputSchema.properties, lines: { type: "integer" } },
  },
};
const wider = { permissions: { ...base.permissions, network: true } };
const reworded = { description: "Counts the words and lines of a text." };

/**
 * The changes since an approved version, the written version, and the findings with the version that the fix writes.
 */
const rows: readonly (readonly [
  what: string,
  approved: string,
  changes: object,
  version: string,
  found: string,
])[] = [
  ["the approved text", "1.2.3", {}, "1.2.3", ""],
  ["a version without changes", "1.2.3", {}, "1.3.0", ""],
  ["a breaking change", "1.2.3", breaking, "1.2.4", "version-step warning 2.0.0"],
  ["a breaking change", "1.2.3", breaking, "2.0.0", ""],
  ["a breaking change", "1.2.3", breaking, "2.0.0-beta.1", ""],
  ["a breaking change below 1.0.0", "0.2.3", breaking, "0.2.4", "version-step warning 0.3.0"],
  ["a breaking change below 1.0.0", "0.2.3", breaking, "0.3.0", ""],
  [
    "a breaking change in the approved version",
    "1.2.3",
    breaking,
    "1.2.3",
    "version-locked error 2.0.0",
  ],
  ["an addition", "1.2.3", added, "1.2.4", "version-step warning 1.3.0"],
  ["an addition", "1.2.3", added, "1.3.0", ""],
  ["a further permission", "1.2.3", wider, "1.2.4", "version-step warning 1.3.0"],
  ["another description", "1.2.3", reworded, "1.2.4", ""],
  [
    "another description in the approved version",
    "1.2.3",
    reworded,
    "1.2.3",
    "version-locked error 1.2.4",
  ],
  ["an older version", "1.2.3", reworded, "1.1.0", "version-older warning 1.2.4"],
  ["an older version", "1.2.3", breaking, "1.1.0", "version-older warning 2.0.0"],
  ["an older version without changes", "1.2.3", {}, "1.1.0", "version-older warning 1.2.4"],
  ["a version that is none", "1.2.3", breaking, "next", ""],
];

describe("The version of a manifest", () => {
  for (const [what, before, changes, version, found] of rows) {
    it(`has ${found || "no finding"} at ${version} for ${what} since ${before}`, () => {
      const approved = skill({ ...base, version: before });
      const local = skill({ ...base, ...changes, version });
      const findings = versionFindings(approved, local, releaseChanges(approved, local, english));
      const told = findings.map(({ code, severity, fix }) => `${code} ${severity} ${fix?.value}`);
      assert.equal(told.join(), found);
    });
  }

  it("matches the approved one, though its public copy hides secret names and a command", () => {
    const local = { ...base, runtime: { type: "local", command: "words", args: ["--all"] } };
    const approved = skill(publicManifest(local as unknown as Manifest));
    const changes = releaseChanges(approved, skill(local), english);
    assert.deepEqual(
      [changes.step, versionFindings(approved, skill(local), changes)],
      ["none", []],
    );
  });
});
