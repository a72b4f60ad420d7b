import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { compareSkills } from "../../../../../src/core/skill/compare/compareSkills";
import { describeSkill } from "../../../../../src/core/skill/description/describeSkill";
import type { SkillDetail } from "../../../../../src/core/skill/skill";
import { english } from "../../../../../src/core/text/language";
import { outlinesOf } from "../../../../fixtures/outlines";
import { bareSkill, fixtureNow, fullSkill, powerfulSkill } from "../../../../fixtures/skillDetail";

function described(detail: SkillDetail, builtIn = false) {
  const registry = { name: "registry.example", builtIn };
  return {
    ok: true as const,
    skill: describeSkill(detail, { registry, now: fixtureNow, language: english }),
    outlines: outlinesOf(detail, english),
  };
}

const problem = { ok: false as const, slug: "gone-skill", problem: "It is not there." };

describe("compareSkills", () => {
  it("marks no row if the skills are equal", () => {
    const { groups } = compareSkills([described(fullSkill), described(fullSkill)], english);
    const rows = groups.flatMap((group) => group.rows);
    assert.ok(rows.length > 15);
    assert.deepEqual(
      rows.filter(({ differs }) => differs),
      [],
    );
  });

  it("marks prices and numbers of the built-in registry as samples", () => {
    const titles = (builtIn: boolean) =>
      compareSkills([described(fullSkill, builtIn), described(bareSkill, builtIn)], english).groups;
    const [invented, real] = [titles(true), titles(false)];
    assert.ok(invented.some(({ title }) => title === "Numbers (sample)"));
    assert.ok(real.some(({ title }) => title === "Numbers"));
    const price = invented.find(({ title }) => title === "Price")?.rows[0]?.cells[0]?.text;
    assert.equal(price, "$0.02 per invocation (sample)");
  });

  it("marks rows that differ, and has a cell per skill in every row", () => {
    const skills = [described(fullSkill), described(powerfulSkill), described(bareSkill)];
    const { groups } = compareSkills(skills, english);
    const differing = groups.flatMap(({ rows }) => rows.filter(({ differs }) => differs));
    const labels = differing.map(({ label }) => label);
    for (const label of ["Verification", "Permission level", "Files", "Price", "Publisher"]) {
      assert.ok(labels.includes(label), label);
    }
    for (const { cells } of groups.flatMap(({ rows }) => rows)) {
      assert.equal(cells.length, 3);
      assert.ok(cells.every(({ text }) => text !== ""));
    }
  });

  it("says once that the verification is not provided", () => {
    const { groups } = compareSkills([described(fullSkill), described(bareSkill)], english);
    const bare = groups[0]?.rows[0]?.cells[1];
    assert.deepEqual([bare?.text, bare?.note], ["Verification not provided", ""]);
  });

  it("marks the cells that differ from most others, and all cells without a majority", () => {
    const marks = (...details: readonly SkillDetail[]) => {
      const { groups } = compareSkills(
        [...details.map((each) => described(each)), problem],
        english,
      );
      const rows = groups.flatMap((group) => group.rows);
      const price = rows.find(({ label }) => label === "Price");
      return price?.cells.map(({ differs = false }) => differs);
    };
    assert.deepEqual(marks(fullSkill, fullSkill, bareSkill), [false, false, true, false]);
    assert.deepEqual(marks(fullSkill, bareSkill), [true, true, false]);
    assert.deepEqual(marks(fullSkill, fullSkill), [false, false, false]);
  });

  it("keeps an unreadable skill as a column without cells", () => {
    const { skills, groups } = compareSkills([described(fullSkill), problem], english);
    assert.deepEqual(
      skills.map(({ slug, problem: words }) => [slug, words]),
      [
        ["csv-profile", ""],
        ["gone-skill", "It is not there."],
      ],
    );
    const rows = groups.flatMap((group) => group.rows);
    assert.ok(rows.every(({ cells, differs }) => cells[1]?.text === "" && !differs));
  });

  it("lists required and optional properties", () => {
    const { groups } = compareSkills([described(fullSkill), described(bareSkill)], english);
    const rows = groups.at(-1)?.rows ?? [];
    assert.equal(rows[0]?.cells[0]?.text, "csv (string)");
    assert.match(
      rows[1]?.cells[0]?.text ?? "",
      /^delimiter \(string\), columns \(array of object\)/,
    );
  });
});
