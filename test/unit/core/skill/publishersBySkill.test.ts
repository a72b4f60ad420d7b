import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { publishersBySkill } from "../../../../src/core/skill/publisherText";

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
