import assert from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { describe, it } from "mocha";
import { catalogue } from "../../../src/localRegistry/catalogue/catalogue";
import { publicManifest } from "../../../src/localRegistry/catalogue/manifest";
import { skillDetail } from "../../../src/localRegistry/catalogue/skillDetail";
import { runSample } from "./runSample";

const slugs = [
  "burst-limited",
  "cron-next",
  "csv-profile",
  "draft-writer",
  "flaky-fetch",
  "json-diff",
  "json-to-csv",
  "jwt-inspect",
  "markdown-outline",
  "market-data",
  "redact-pii",
  "semver-resolve",
  "slow-report",
  "sql-format",
  "text-stats",
  "vault-rotate",
];

const ajv = new Ajv2020({
  strict: true,
  strictTypes: false,
  strictRequired: false,
  allErrors: true,
});
addFormats.default(ajv);

describe("the catalogue", () => {
  it("holds the sixteen sample skills", () => {
    assert.deepEqual(
      catalogue.map(({ slug }) => slug),
      slugs,
    );
  });

  it("spreads them over states, runtimes, levels, tasks, prices and publishers", () => {
    const rows = catalogue.map((skill) => skillDetail(skill, skill.releases[0]));
    const values = (pick: (row: (typeof rows)[number]) => string) => new Set(rows.map(pick));
    assert.deepEqual(
      values((row) => row.verificationStatus),
      new Set(["verified", "submitted", "deprecated"]),
    );
    assert.deepEqual(
      values((row) => row.runtimeType),
      new Set(["http", "mcp", "local"]),
    );
    assert.deepEqual(
      values((row) => row.permissionLevel),
      new Set(["low", "medium", "high"]),
    );
    assert.deepEqual(
      values((row) => row.billingModel),
      new Set(["free", "per_call", "subscription"]),
    );
    assert.ok(values((row) => row.category).size >= 8);
    assert.equal(values((row) => row.publisher.slug).size, 5);
  });

  it("has skills with versions that differ in schema and permissions", () => {
    const differing = catalogue.filter(({ releases: [newest, ...older] }) =>
      older.some(
        (release) =>
          JSON.stringify(release.inputSchema) !== JSON.stringify(newest.inputSchema) &&
          JSON.stringify(release.permissions) !== JSON.stringify(newest.permissions),
      ),
    );
    assert.ok(differing.length >= 2);
  });

  for (const skill of catalogue) {
    describe(skill.slug, () => {
      it("keeps the manifest's rules", () => {
        assert.match(skill.slug, /^[a-z0-9][a-z0-9-]{1,62}[a-z0-9]$/);
        const times = skill.releases.map(({ publishedAt }) => Date.parse(publishedAt));
        assert.deepEqual(
          times,
          [...times].sort((a, b) => b - a),
          "newest first",
        );
        for (const release of skill.releases) assert.match(release.version, /^\d+\.\d+\.\d+$/);
      });

      it("shows neither commands nor names of secrets", () => {
        for (const release of skill.releases) {
          const text = JSON.stringify(publicManifest(skill, release));
          for (const secret of release.permissions.secrets) assert.ok(!text.includes(secret));
          const { runtime } = release;
          const hidden = runtime.type === "local" ? runtime.args : [];
          for (const argument of hidden) assert.ok(!text.includes(`"${argument}"`));
        }
      });

      for (const release of skill.releases) {
        it(`gives examples in ${release.version} that hold`, async () => {
          const checkInput = ajv.compile(release.inputSchema);
          const checkOutput = ajv.compile(release.outputSchema);
          assert.ok(release.examples.length > 0);
          for (const { name, input, output } of release.examples) {
            assert.ok(checkInput(input), `${name}: ${ajv.errorsText(checkInput.errors)}`);
            if (output !== undefined) {
              assert.ok(checkOutput(output), `${name}: ${ajv.errorsText(checkOutput.errors)}`);
            }
            if (release.run === undefined || skill.slug === "flaky-fetch") continue;
            assert.deepEqual(await runSample(skill.slug, input, release.version), {
              ok: true,
              output,
            });
          }
        });
      }
    });
  }
});
