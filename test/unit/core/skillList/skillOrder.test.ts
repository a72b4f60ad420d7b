import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { SkillNumbers, SkillSummary } from "../../../../src/core/skill/skill";
import { isSortIgnored, measureOf, sortLocally } from "../../../../src/core/skillList/skillOrder";
import type { SkillSort } from "../../../../src/core/skillList/skillQuery";

const row = { displayName: "", description: "", tags: [], version: "" };

function numbered(name: keyof SkillNumbers, values: readonly (number | undefined)[]) {
  return values.map((value, index): SkillSummary => {
    const numbers = value === undefined ? {} : { [name]: value };
    return { ...row, slug: `s${index}`, numbers };
  });
}

function levelled(levels: readonly string[]): SkillSummary[] {
  return levels.map((permissionLevel, index) => ({
    ...row,
    slug: `s${index}`,
    numbers: {},
    permissionLevel,
  }));
}

/** Every value once, unordered. */
const shuffled = Array.from({ length: 100 }, (_, index) => (index * 37) % 101);
const falling = shuffled.toSorted((one, other) => other - one);
/** Each tenth row is one position too low. */
const nearly = falling.map((value, index) => (index % 10 === 5 ? value + 1.5 : value));

describe("the order of a registry's rows", () => {
  const cases: readonly (readonly [string, readonly SkillSummary[], SkillSort, boolean])[] = [
    ["the most installed first", numbered("installs", falling), "adoption", false],
    ["the most called first", numbered("calls", falling), "adoption", false],
    ["no order", numbered("installs", shuffled), "adoption", true],
    ["the opposite order", numbered("installs", [1, 2, 3, 4, 5, 6]), "adoption", true],
    ["too few rows to tell", numbered("installs", [1, 2, 3, 4, 5]), "adoption", false],
    [
      "too few numbers to tell",
      numbered("installs", [1, 2, 3, undefined, undefined, undefined]),
      "adoption",
      false,
    ],
    ["an order with small deviations", numbered("successRate", nearly), "success", false],
    ["no order of success rates", numbered("successRate", shuffled), "success", true],
    ["equal numbers", numbered("installs", [3, 3, 3]), "adoption", false],
    ["gaps in its numbers", numbered("calls", [9, undefined, 5, undefined, 1]), "adoption", false],
    ["no numbers", numbered("installs", Array(6).fill(undefined)), "adoption", false],
    ["one number", numbered("installs", [5, ...Array(5).fill(undefined)]), "adoption", false],
    ["two rows without numbers", numbered("installs", [undefined, undefined]), "adoption", false],
    [
      "the lowest permission level first",
      levelled(["low", "LOW", "medium", "high"]),
      "low_risk",
      false,
    ],
    [
      "the highest permission level first",
      levelled(["high", "high", "medium", "medium", "low", "low"]),
      "low_risk",
      true,
    ],
    ["unknown levels", levelled(Array(6).fill("red")), "low_risk", false],
    ["one row", numbered("installs", [5]), "adoption", false],
    ["no row", [], "adoption", false],
    ["the registry's own recommendation", numbered("installs", shuffled), "recommended", false],
  ];
  for (const [what, skills, sort, expected] of cases) {
    it(`is ${expected ? "ignored" : "assumed to be followed"} with ${what}`, () => {
      assert.equal(isSortIgnored(skills, sort), expected);
    });
  }

  it("is assumed to be followed if none was requested", () => {
    assert.equal(isSortIgnored(numbered("installs", shuffled), undefined), false);
  });

  it("is recognized by changes and success rates too", () => {
    const changed = [1, 2, 3, 5, 8, 9].map(
      (updatedAt): SkillSummary => ({ ...row, slug: `s${updatedAt}`, numbers: {}, updatedAt }),
    );
    assert.equal(isSortIgnored(changed, "recent"), true);
    assert.equal(isSortIgnored(changed.toReversed(), "recent"), false);
  });
});

describe("an order made by the editor", () => {
  const slugs = (skills: readonly SkillSummary[]) => skills.map(({ slug }) => slug).join(" ");

  it("is descending and stable, with unknown values last", () => {
    const skills = numbered("installs", [2, undefined, 7, 2, undefined, 9]);
    assert.equal(slugs(sortLocally(skills, "adoption")), "s5 s2 s0 s3 s1 s4");
  });

  it("is by the number that most rows have", () => {
    const skills = [...numbered("calls", [1, 2]), ...numbered("installs", [5])];
    assert.equal(measureOf(skills, "adoption")?.name, "calls");
    assert.equal(measureOf(numbered("installs", [1]), "adoption")?.name, "installs");
  });

  it("is the registry's if its recommendation was requested", () => {
    const skills = numbered("installs", [1, 2]);
    assert.equal(slugs(sortLocally(skills, "recommended")), "s0 s1");
  });
});
