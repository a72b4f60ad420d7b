import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { withPermissions } from "../../../../../src/core/skill/permissions";
import type { SkillSummary } from "../../../../../src/core/skill/skill";
import { skillTooltip } from "../../../../../src/core/skillList/rows/skillRowText";
import { english } from "../../../../../src/core/text/language";
import { skill } from "./rowSkill";

describe("the tooltip of a skill", () => {
  it("names status, level and permissions, each with its reason", () => {
    const permissions = {
      network: true,
      browser: false,
      filesystem: "none",
      secretCount: 0,
      secretNames: [],
    } as const;
    const known = withPermissions(skill, permissions);
    const lines = skillTooltip(known, english).replaceAll("\\", "").split("\n");
    assert.ok(lines.includes("**Verified**"));
    assert.ok(lines.includes("**Medium permissions**"));
    assert.ok(lines.some((line) => /states “low”.*amount to “medium”/.test(line)));
    assert.deepEqual(
      lines.filter((line) => /Connects to|Does not touch files/.test(line)).length,
      1,
      "what it may do stands there once, and what it may not do stands nowhere",
    );
  });

  it("reports that a skill without permissions may do nothing", () => {
    const permissions = {
      network: false,
      browser: false,
      filesystem: "none",
      secretCount: 0,
      secretNames: [],
    } as const;
    const tooltip = skillTooltip(withPermissions(skill, permissions), english);
    assert.match(
      tooltip.replaceAll("\\", ""),
      /\*\*Low permissions\*\* — No files, no network, no browser, no secrets\./,
    );
  });

  const origins: readonly (readonly [string, Partial<SkillSummary>, readonly string[]])[] = [
    ["the publisher", {}, ["Publisher: Plainworks"]],
    [
      "the publisher with its unusual status and trust level",
      {
        publisher: {
          name: "Plainworks",
          verified: true,
          status: "suspended",
          trustLevel: "blocked",
        },
      },
      ["Publisher: Plainworks (verified, status: suspended, trust level: blocked)"],
    ],
    [
      "the publisher without its usual status and trust level",
      { publisher: { name: "Plainworks", status: "active", trustLevel: "verified" } },
      ["Publisher: Plainworks"],
    ],
    [
      "the author beside the publisher, and who states that",
      { author: { name: "Ada", url: "https://ada.example/a" } },
      ["Publisher: Plainworks", "Author: Ada (https://ada.example/a, stated by the publisher)"],
    ],
    [
      "an author with an address that may not be opened",
      { author: { name: "Ada", url: "command:quit" } },
      ["Publisher: Plainworks", "Author: Ada (stated by the publisher)"],
    ],
    [
      "only the address of an author who is the publisher",
      { author: { name: "Plainworks", url: "https://plain.example/" } },
      ["Publisher: Plainworks", "Author: https://plain.example/ (stated by the publisher)"],
    ],
    [
      "no author who is the publisher and has no address",
      { author: { name: "Plainworks" } },
      ["Publisher: Plainworks"],
    ],
  ];
  for (const [what, more, expected] of origins) {
    it(`names ${what}`, () => {
      const lines = skillTooltip({ ...skill, ...more }, english)
        .replaceAll("\\", "")
        .split("\n");
      const named = lines.filter((line) => /^(Publisher|Author):/.test(line));
      assert.deepEqual(
        named.map((line) => line.trim()),
        expected,
      );
    });
  }

  it("names only the author if no publisher is known", () => {
    const { publisher: _, ...unpublished } = skill;
    const tooltip = skillTooltip({ ...unpublished, author: { name: "Ada" } }, english);
    assert.match(tooltip.replaceAll("\\", ""), /Author: Ada \(stated by the publisher\)/);
    assert.doesNotMatch(tooltip, /Publisher:/);
  });

  it("has the registry's numbers", () => {
    const numbers = { installs: 1312, successRate: 0.981, averageRating: 4 };
    const lines = skillTooltip({ ...skill, numbers }, english).replaceAll("\\", "");
    assert.match(lines, /^Installs: 1,312 · Success rate: 98\.1% · Rating: 4 of 5$/m);
    assert.doesNotMatch(skillTooltip(skill, english), /Installs/);
  });

  it("uses the registry's level if the permissions are unknown", () => {
    assert.match(skillTooltip(skill, english).replaceAll("\\", ""), /provides this level, but not/);
  });
});
