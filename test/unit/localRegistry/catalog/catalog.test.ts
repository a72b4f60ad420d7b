import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonValue } from "../../../../src/core/json/jsonValue";
import { evaluateSchema } from "../../../../src/core/schema/evaluate/evaluateSchema";
import { readSchema } from "../../../../src/core/schema/read/readSchema";
import { catalog, type Manifest } from "../../../../src/localRegistry/catalog/catalog";
import { publicManifest, skillDetail } from "../../../../src/localRegistry/catalog/skillResponses";
import { runSample } from "../runSample";

/** Returns the problems of a value by a schema, formats included. */
function problems(schema: Manifest["inputSchema"], value: JsonValue): readonly string[] {
  const read = readSchema(schema);
  assert.ok(read.refusal === undefined && read.defects.count === 0, JSON.stringify(read));
  const testOf = (pattern: string) => (text: string) => new RegExp(pattern, "u").test(text);
  const verdict = evaluateSchema({ root: read.root, all: read.all, testOf }, value);
  assert.ok(verdict.kind === "decided");
  const { failures, warnings } = verdict.findings;
  return [...failures, ...warnings].map(({ keyword, path }) => `${keyword} ${path?.key}`);
}

const required =
  "schemaVersion name displayName version description tags runtime permissions inputSchema outputSchema";
const kinds = {
  http: ["entrypoint", "type"],
  mcp: ["serverUrl", "type"],
  local: ["args", "command", "type"],
};

describe("the catalog", () => {
  it("contains the sample skills, one of each kind", () => {
    const rows = catalog.map((skill) => skillDetail(skill, skill.releases[0]));
    const values = (pick: (row: (typeof rows)[number]) => string) =>
      [...new Set(rows.map(pick))].sort();
    assert.deepEqual(values(({ slug }) => slug).length, 12);
    assert.deepEqual(
      values((row) => row.verificationStatus),
      ["deprecated", "submitted", "verified"],
    );
    assert.deepEqual(
      values((row) => row.runtimeType),
      ["http", "local", "mcp"],
    );
    assert.deepEqual(
      values((row) => row.permissionLevel),
      ["high", "low", "medium"],
    );
    assert.deepEqual(
      values((row) => row.billingModel),
      ["free", "per_call", "subscription"],
    );
    assert.ok(values((row) => row.category).length >= 8);
    assert.equal(values((row) => row.publisher.slug).length, 5);
  });

  for (const skill of catalog) {
    const times = skill.releases.map(({ publishedAt }) => publishedAt);

    it(`${skill.slug} lists its versions newest first`, () => {
      assert.deepEqual(times, times.toSorted().reverse());
    });

    for (const { manifest, examples } of skill.releases) {
      describe(`${skill.slug} ${manifest.version}`, () => {
        it("has a manifest with all its fields and no others", () => {
          assert.deepEqual(Object.keys(manifest).sort(), [...required.split(" "), "author"].sort());
          assert.equal(manifest.schemaVersion, "0.1");
          assert.match(manifest.name, /^[a-z0-9][a-z0-9-]{1,62}[a-z0-9]$/);
          assert.match(manifest.version, /^\d+\.\d+\.\d+$/);
          assert.ok(manifest.displayName.length >= 2 && manifest.description.length >= 40);
          assert.ok(
            manifest.tags.length > 0 && new Set(manifest.tags).size === manifest.tags.length,
          );
          assert.deepEqual(Object.keys(manifest.runtime).sort(), kinds[manifest.runtime.type]);
          const { network, browser, filesystem, secrets, ...more } = manifest.permissions;
          assert.deepEqual([typeof network, typeof browser, more], ["boolean", "boolean", {}]);
          assert.ok(["none", "read", "write"].includes(filesystem));
          assert.ok(secrets.every((name) => /^[A-Z][A-Z0-9_]+$/.test(name)));
        });

        it("reveals neither commands nor names of secrets", () => {
          const text = JSON.stringify(publicManifest(manifest));
          for (const secret of manifest.permissions.secrets) assert.ok(!text.includes(secret));
          const hidden = manifest.runtime.type === "local" ? manifest.runtime.args : [];
          for (const argument of hidden) assert.ok(!text.includes(`"${argument}"`));
        });

        it("has complete schemas and valid examples", async () => {
          assert.ok(examples.length > 0);
          for (const { name, input, output } of examples) {
            assert.deepEqual(problems(manifest.inputSchema, input), [], name);
            if (output === undefined) continue;
            assert.deepEqual(problems(manifest.outputSchema, output), [], name);
            if (skill.run === undefined) continue;
            assert.deepEqual(await runSample(skill.slug, input, manifest.version), {
              ok: true,
              output,
            });
          }
        });
      });
    }
  }
});
