import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  cutOffPublishers,
  publisherFacts,
  publishersBySkill,
} from "../../../../src/core/skill/publisherText";
import type { Publisher } from "../../../../src/core/skill/skill";
import { english } from "../../../../src/core/text/language";

describe("publishers by the skills they list", () => {
  it("name the first publisher that lists each skill", () => {
    const bySkill = publishersBySkill([
      { name: "Other", skillSlugs: ["x"] },
      { name: "Silent" },
      { name: "Right", skillSlugs: ["y", "abc"] },
      { name: "Late", skillSlugs: ["abc", "z"] },
    ]);
    const named = ["x", "abc", "z", "none"].map((slug) => bySkill.get(slug)?.name);
    assert.deepEqual(named, ["Other", "Right", "Late", undefined]);
  });

  it("are cut off for publishers at the gateway's limit, or with more skills than they list", () => {
    const slugs = (name: string, count: number) =>
      Array.from({ length: count }, (_, index) => `${name}-${index}`);
    const cutOff = (...publishers: Publisher[]) => cutOffPublishers(publishersBySkill(publishers));
    const listing = (name: string, count: number) => ({ name, skillSlugs: slugs(name, count) });
    const whole = [listing("eleven", 11), listing("thirteen", 13)];
    assert.deepEqual(cutOff(...whole), []);
    const twelve = { ...listing("twelve", 12), slug: "t" };
    const more = { ...listing("more", 2), skillCount: 3 };
    const names = [{ name: "twelve", slug: "t" }, { name: "more" }];
    assert.deepEqual(cutOff(...whole, twelve, more), names);
    const fifty = Array.from({ length: 50 }, (_, index) => listing(`p${index}`, 1));
    assert.equal(cutOff(...fifty), "any");
    assert.deepEqual(cutOff(...fifty.slice(1)), []);
  });

  it("are fifty thousand at most", () => {
    const publishers = Array.from({ length: 6 }, (_, publisher) => ({
      name: `p${publisher}`,
      skillSlugs: Array.from({ length: 10_000 }, (_, skill) => `s${publisher}-${skill}`),
    }));
    const bySkill = publishersBySkill(publishers);
    assert.equal(bySkill.size, 50_000);
    assert.equal(bySkill.get("s4-9999")?.name, "p4");
  });
});

describe("the facts of a publisher on a page", () => {
  const cases: readonly (readonly [string, Omit<Publisher, "name">, readonly string[]])[] = [
    [
      "usual ones, which the byline says",
      { verified: true, status: "Active", trustLevel: "verified" },
      [],
    ],
    [
      "an unusual status",
      { verified: true, status: "pending", trustLevel: "verified" },
      ["Publisher status: pending"],
    ],
    [
      "what is not verified, and the level",
      { verified: false, status: "active", trustLevel: "limited" },
      ["Verified: No", "Trust level: limited"],
    ],
    [
      "what the registry does not state",
      {},
      ["Verified: Not provided", "Publisher status: Not provided", "Trust level: Not provided"],
    ],
  ];
  for (const [what, publisher, expected] of cases) {
    it(`have its name and ${what}`, () => {
      const facts = publisherFacts({ name: "P", ...publisher }, english);
      const texts = facts.map(({ label, value }) => `${label}: ${value}`);
      assert.deepEqual(texts, ["Name: P", ...expected]);
    });
  }
});
