import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { unlistedNames } from "../../../../src/cli/registry/longerNames";
import type { SkillListPage } from "../../../../src/core/skillList/skillQuery";
import type { RegistryClient } from "../../../../src/registry/registryClient";
import { bareSkill } from "../../../fixtures/skillDetail";

const never = new AbortController().signal;

const pageOf = (slugs: readonly string[], more: Partial<SkillListPage> = {}) => ({
  ok: true as const,
  value: {
    skills: slugs.map((slug) => ({ ...bareSkill.summary, slug })),
    ignoredFilters: [],
    ...more,
  },
});

/** Checks many names that begin with `acme`, then `acme.a` and `acme.b`. */
async function askMany(answers: readonly Awaited<ReturnType<RegistryClient["search"]>>[]) {
  let searches = 0;
  const isUnlisted = unlistedNames({
    search: async ({ text }) => {
      assert.equal(text, "acme");
      searches += 1;
      return answers[searches - 1] ?? pageOf([]);
    },
  });
  for (let file = 0; file < 20; file += 1) {
    assert.equal(await isUnlisted(`acme.case-${file}`, never), false, "the first are looked up");
  }
  assert.deepEqual([await isUnlisted("acme", never), searches], [false, 0]);
  const known = await Promise.all(["acme.a", "acme.b"].map((name) => isUnlisted(name, never)));
  assert.equal(await isUnlisted("acme.case-0", never), false, "it was looked up before");
  return { known, searches };
}

describe("file names that may end in a label", () => {
  it("are distinguished from longer slugs by a complete list, which is read once", async () => {
    const answers = [pageOf(["acme"], { nextCursor: "2" }), pageOf(["acme.b", "other"])];
    assert.deepEqual(await askMany(answers), { known: [true, false], searches: 2 });
  });

  const silent: Record<string, readonly Awaited<ReturnType<RegistryClient["search"]>>[]> = {
    fails: [{ ok: false, failure: { kind: "timeout", seconds: 1 } }],
    "fails later": [
      pageOf(["acme"], { nextCursor: "2" }),
      { ok: false, failure: { kind: "timeout", seconds: 1 } },
    ],
    "does not have all": [pageOf(["acme"], { isCutOff: true })],
    "leads in a circle": [
      pageOf(["acme"], { nextCursor: "2" }),
      pageOf(["acme.b"], { nextCursor: "2" }),
    ],
    "does not have the slug itself": [pageOf(["acme.b"])],
  };
  for (const [how, answers] of Object.entries(silent)) {
    it(`are looked up one by one if the list ${how}`, async () => {
      assert.deepEqual((await askMany(answers)).known, [false, false]);
    });
  }
});
