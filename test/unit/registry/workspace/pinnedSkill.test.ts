import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonObject, JsonValue } from "../../../../src/core/json/jsonValue";
import { mergeSkill } from "../../../../src/core/registry/mergeSkill";
import { readContract } from "../../../../src/core/review/contract";
import { catalog } from "../../../../src/localRegistry/catalog/catalog";
import { publicManifest as published } from "../../../../src/localRegistry/catalog/skillAnswers";
import { readSkillDetail } from "../../../../src/registry/decode/readSkillDetail";
import { publicManifest, readPinnedSkill } from "../../../../src/registry/workspace/readProject";
import { plainManifest } from "../../../fixtures/manifestRegistry";

const slug = "abc";
const read = (manifest: JsonValue) =>
  readPinnedSkill({ installedSkills: [{ skillSlug: slug, manifest }] }, slug, "/installed");

describe("a project's copy of a skill", () => {
  it("has the contract of the public one, and shows no more", () => {
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

  it("has no credentials in its addresses", () => {
    const entrypoint = "https://user:secret@run.example/a?token=secret#secret";
    const manifest = plainManifest(slug, { runtime: { type: "http", entrypoint } });
    assert.deepEqual(publicManifest(manifest)["runtime"], {
      type: "http",
      entrypoint: "https://run.example/a",
    });
  });

  it("is bounded as its public description is", async () => {
    const properties = Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`p${at}`, 1]));
    const large = await read(plainManifest(slug, { inputSchema: { properties } }));
    assert.ok(large?.ok === false && large.failure.kind === "tooManyValues");
  });

  it("says which numbers may have lost digits", async () => {
    const found = await read(plainManifest(slug, { inputSchema: { maximum: 2 ** 60 } }));
    assert.ok(found?.ok);
    assert.deepEqual(found.value.lossyNumbers, [2 ** 60]);
  });

  for (const [what, body] of [
    ["no list", {}],
    ["no such skill", { installedSkills: [{ skillSlug: "other", manifest: {} }] }],
    ["no manifest", { installedSkills: [{ skillSlug: slug, manifest: "x" }] }],
  ] as const) {
    it(`is none where there is ${what}`, async () => {
      assert.equal(await readPinnedSkill(body as JsonValue, slug, "/installed"), undefined);
    });
  }
});
