import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonObject, JsonValue } from "../../../../src/core/json/jsonValue";
import { readContract } from "../../../../src/core/skill/compare/contract";
import { mergeSkill } from "../../../../src/core/skill/mergeSkill";
import type { Permissions } from "../../../../src/core/skill/permissions";
import { catalog, type Manifest } from "../../../../src/localRegistry/catalog/catalog";
import { publicManifest as published } from "../../../../src/localRegistry/catalog/skillResponses";
import { readSkillDetail } from "../../../../src/registry/decode/readSkillDetail";
import { publicManifest, readPinnedSkill } from "../../../../src/registry/workspace/readProject";
import { plainManifest } from "../../../fixtures/registries/manifestRegistry";

const slug = "abc";
const read = (manifest: JsonValue) =>
  readPinnedSkill({ installedSkills: [{ skillSlug: slug, manifest }] }, slug, "/installed");

function permissionsOf(manifest: JsonObject): Permissions | undefined {
  const detail = readSkillDetail(manifest, slug, "/skill");
  assert.ok(detail.ok);
  return detail.value.permissions;
}

describe("a project's copy of a skill", () => {
  it("has the contract of the public one, and reveals no more", () => {
    for (const { slug: name, releases } of catalog) {
      for (const { manifest } of releases) {
        const copies = [publicManifest(manifest as unknown as JsonObject), published(manifest)];
        const [ours, theirs] = copies.map((copy) => {
          const detail = readSkillDetail(copy as JsonObject, name, "/skill");
          assert.ok(detail.ok);
          const none = { row: undefined, prices: [], feedback: undefined, publisher: undefined };
          return mergeSkill({ own: detail.value, ...none });
        });
        assert.ok(ours !== undefined && theirs !== undefined);
        assert.deepEqual(readContract(ours, String), readContract(theirs, String));
        const { redactedArgs, args, type } = ours.runtime ?? assert.fail();
        assert.equal(redactedArgs, theirs.runtime?.redactedArgs);
        const isLocal = type === "local";
        assert.ok(!isLocal || (args?.length === 0 && ours.runtime?.entry === undefined));
      }
    }
  });

  const lists: readonly (readonly [what: string, JsonValue[]])[] = [
    ["that have no name", [1, {}, null]],
    ["by the hundred", Array.from({ length: 150 }, (_, at) => `S${at}`)],
    ["by the ten thousand", Array.from({ length: 12_345 }, (_, at) => `S${at}`)],
  ];
  for (const [what, secrets] of lists) {
    it(`counts secrets ${what} as the public one does`, () => {
      const manifest = plainManifest(slug, { permissions: { secrets } });
      const copies = [publicManifest(manifest), published(manifest as unknown as Manifest)];
      const [ours, theirs] = copies.map((copy) => permissionsOf(copy as JsonObject));
      assert.deepEqual(ours, theirs);
      assert.equal(ours?.secretCount, secrets.length);
    });
  }

  it("counts secrets that are already redacted", () => {
    const permissions = { secrets: ["[2 secret handles required]"] };
    const copy = publicManifest(plainManifest(slug, { permissions }));
    assert.equal(permissionsOf(copy)?.secretCount, 2);
  });

  const forms: readonly JsonValue[] = [{ API_KEY: "of the account" }, "API_KEY", true, 2.5, false];
  for (const secrets of forms) {
    it(`names none of the secrets ${JSON.stringify(secrets)}, and counts the same`, () => {
      const manifest = plainManifest(slug, { permissions: { network: "outbound", secrets } });
      const copy = publicManifest(manifest);
      assert.doesNotMatch(JSON.stringify(copy), /API_KEY/);
      assert.deepEqual(permissionsOf(copy), permissionsOf(manifest));
    });
  }

  it("has no credentials in its addresses", () => {
    const entrypoint = "https://user:secret@run.example/a?token=secret#secret";
    const manifest = plainManifest(slug, { runtime: { type: "http", entrypoint } });
    assert.deepEqual(publicManifest(manifest)["runtime"], {
      type: "http",
      entrypoint: "https://run.example/a",
    });
  });

  it("is limited as its public description is", async () => {
    const properties = Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`p${at}`, 1]));
    const large = await read(plainManifest(slug, { inputSchema: { properties } }));
    assert.ok(large?.ok === false && large.failure.kind === "tooManyValues");
  });

  it("shows which numbers may have lost digits", async () => {
    const found = await read(plainManifest(slug, { inputSchema: { maximum: 2 ** 60 } }));
    assert.ok(found?.ok);
    assert.deepEqual(found.value.lossyNumbers, [2 ** 60]);
    const inList = { enum: ["9007199254740993", { const: -(2 ** 60) }, 2 ** 53] };
    const nested = await read(plainManifest(slug, { outputSchema: { properties: { a: inList } } }));
    assert.ok(nested?.ok);
    assert.deepEqual(
      new Set(nested.value.lossyNumbers === "many" ? [] : nested.value.lossyNumbers),
      new Set([-(2 ** 60), 2 ** 53]),
    );
  });

  it("names no inexact numbers if every number is exact", async () => {
    const inputSchema = { maximum: Number.MAX_SAFE_INTEGER, minimum: 0.1, multipleOf: 1e-300 };
    const found = await read(plainManifest(slug, { inputSchema }));
    assert.ok(found?.ok);
    assert.equal("lossyNumbers" in found.value, false);
  });

  for (const [what, body] of [
    ["no list", {}],
    ["no such skill", { installedSkills: [{ skillSlug: "other", manifest: {} }] }],
    ["no manifest", { installedSkills: [{ skillSlug: slug, manifest: "x" }] }],
  ] as const) {
    it(`is undefined if the response has ${what}`, async () => {
      assert.equal(await readPinnedSkill(body as JsonValue, slug, "/installed"), undefined);
    });
  }
});
