import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  type CachedPolicies,
  cachedPolicyFor,
  readCachedPolicies,
  withoutPolicies,
  withPolicies,
} from "../../../../../src/core/invocation/permission/canInvoke";

const day = 86_400_000;
const now = 100 * day;
const known: CachedPolicies = {
  origin: "https://a.example",
  fingerprint: "0a1b2c3d",
  at: now - day,
  skills: [["text-stats", { approvalState: "owner_required" }]],
};
const accepted = (listed: CachedPolicies["skills"]) =>
  ({ kind: "accepted", skills: listed.length, listed, complete: true }) as const;
const asked = { origin: known.origin, fingerprint: known.fingerprint, slug: "text-stats" };

describe("a cached policy", () => {
  it("is found by its registry, key and skill, with its time", () => {
    assert.deepEqual(cachedPolicyFor([known], asked, now), {
      kind: "listed",
      listed: { approvalState: "owner_required" },
      at: now - day,
    });
  });

  const others: readonly (readonly [string, Partial<typeof asked>, number])[] = [
    ["another registry", { origin: "https://b.example" }, now],
    ["another key", { fingerprint: "00000000" }, now],
    ["another skill", { slug: "other" }, now],
    ["a skill named like something every object has", { slug: "constructor" }, now],
    ["a month later", {}, now + 30 * day],
    ["a clock that was set back", {}, now - 2 * day],
  ];
  for (const [name, change, at] of others) {
    it(`is not found for ${name}`, () => {
      assert.equal(cachedPolicyFor([known], { ...asked, ...change }, at), undefined);
    });
  }

  it("is replaced by the registry's next response, and removed alone", () => {
    const other = { ...known, origin: "https://b.example" };
    const newer = { origin: known.origin, fingerprint: "ffffffff", at: now };
    const listed = [["b-skill", {}]] as const;
    assert.deepEqual(withPolicies([known, other], newer, accepted(listed)), [
      other,
      { ...newer, complete: true, skills: listed },
    ]);
    assert.deepEqual(withoutPolicies([known, other], known.origin), [other]);
  });

  it("is cached for twenty registries and five hundred skills", () => {
    const many = Array.from({ length: 600 }, (_, index) => [`s${index}`, {}] as const);
    let all: readonly CachedPolicies[] = [];
    for (let index = 0; index < 25; index += 1) {
      all = withPolicies(all, { ...known, origin: `https://${index}.example` }, accepted(many));
    }
    assert.equal(all.length, 20);
    assert.equal(all[0]?.origin, "https://5.example");
    assert.equal(all[0]?.skills.length, 500);
    // A skill beyond the five hundredth still counts as installed.
    const last = { ...asked, origin: "https://24.example", slug: "s599" };
    assert.equal(cachedPolicyFor(all, last, now), undefined);
  });

  it("distinguishes a skill that is not installed from an unknown one", () => {
    const other = { ...asked, slug: "other" };
    const listed = [["text-stats", {}]] as const;
    const check = { ...known, at: now };
    const kindAfter = (reading: Parameters<typeof withPolicies>[2]) =>
      cachedPolicyFor(withPolicies([], check, reading), other, now)?.kind;
    assert.equal(kindAfter(accepted(listed)), "notListed");
    assert.equal(kindAfter({ ...accepted(listed), complete: false }), undefined);
    assert.equal(kindAfter({ kind: "refused" }), "refused");
  });

  it("is read only in its own format", () => {
    const kept: unknown = JSON.parse(JSON.stringify([known]));
    assert.deepEqual(readCachedPolicies(kept), [known]);
    const wrong = [
      null,
      1,
      {},
      { ...known, skills: [1] },
      { ...known, at: "1" },
      { ...known, skills: [["a", 1]] },
    ];
    assert.deepEqual(readCachedPolicies([...wrong, known]), [known]);
    assert.deepEqual(readCachedPolicies("x"), []);
  });
});
