import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { SkillSummary } from "../../../../src/core/skill/skill";
import { plainArrangement } from "../../../../src/core/skill/skillArrangement";
import { noMarks } from "../../../../src/core/skill/skillMarks";
import {
  branchRows,
  hiddenCount,
  type SkillRow,
  type SkillRowSource,
  topRows,
} from "../../../../src/core/skill/skillRows";
import { startList } from "../../../../src/core/skillList/skillList";
import { english } from "../../../../src/core/text/language";

function skill(slug: string, more: Partial<SkillSummary> = {}): SkillSummary {
  const row = { slug, displayName: slug.toUpperCase(), description: "", tags: [] };
  return { ...row, version: "1.0.0", numbers: {}, ...more };
}

function source(skills: readonly SkillSummary[], more: Partial<SkillRowSource> = {}) {
  const list = startList({ skills, ignoredFilters: [] });
  return {
    list,
    arrangement: plainArrangement,
    marks: noMarks,
    showsHidden: false,
    isUnrestricted: true,
    language: english,
    ...more,
  };
}

function text(rows: readonly SkillRow[]): string[] {
  return rows.map((row) => {
    if (row.kind === "more") return "more";
    if (row.kind === "branch") return `${row.title} (${row.skills.length})`;
    const marks = [row.isFavourite && "★", row.isHidden && "hidden", row.absence].filter(Boolean);
    return [row.skill.slug, ...marks].join(" ");
  });
}

const marked = (...slugs: string[]) => slugs.map((slug) => ({ slug, name: `Name of ${slug}` }));

describe("the rows of the Skills view", () => {
  it("stand in the registry's order, or by name", () => {
    const skills = [skill("b"), skill("c"), skill("a")];
    assert.deepEqual(text(topRows(source(skills))), ["b", "c", "a"]);
    const arrangement = { ...plainArrangement, order: "name" } as const;
    assert.deepEqual(text(topRows(source(skills, { arrangement }))), ["a", "b", "c"]);
  });

  it("stand in groups, the one without a value last", () => {
    const skills = [skill("x"), skill("b", { task: "ops" }), skill("a", { task: "data" })];
    const arrangement = { ...plainArrangement, grouping: "task" } as const;
    const rows = topRows(source(skills, { arrangement }));
    assert.deepEqual(text(rows), ["data (1)", "ops (1)", "Task not given (1)"]);
    const [first] = rows;
    assert.ok(first?.kind === "branch");
    assert.deepEqual(text(branchRows(first, source(skills))), ["a"]);
  });

  it("begin with the favourites, once, also with those that are not loaded", () => {
    const marks = { ...noMarks, favourites: marked("gone", "b") };
    const skills = [skill("a"), skill("b")];
    assert.deepEqual(text(topRows(source(skills, { marks }))), ["gone ★ notListed", "b ★", "a"]);
    const list = startList({ skills, ignoredFilters: [], nextCursor: "1" });
    assert.deepEqual(text(topRows(source(skills, { marks, list }))), [
      "gone ★ notLoaded",
      "b ★",
      "a",
      "more",
    ]);
    assert.deepEqual(text(topRows(source(skills, { marks, isUnrestricted: false }))), ["b ★", "a"]);
  });

  it("leave out what was hidden, until it is to be shown", () => {
    const marks = { ...noMarks, hidden: marked("a", "elsewhere") };
    const skills = [skill("a"), skill("b")];
    assert.deepEqual(text(topRows(source(skills, { marks }))), ["b"]);
    assert.equal(hiddenCount(source(skills).list, marks), 1);
    const rows = topRows(source(skills, { marks, showsHidden: true }));
    assert.deepEqual(text(rows), ["a hidden", "b"]);
  });

  it("stay about a thousand on a level, however many are loaded", () => {
    const skills = Array.from({ length: 10_100 }, (_, index) => skill(`s${index}`));
    const rows = topRows(source(skills));
    assert.equal(rows.length, 19 + 600);
    assert.deepEqual(text(rows.slice(0, 2)), ["1 – 500 (500)", "501 – 1000 (500)"]);
    assert.deepEqual(text(rows.slice(18, 20)), ["9001 – 9500 (500)", "s9500"]);
    const [block] = rows;
    assert.ok(block?.kind === "branch" && !block.isOpen);
    const below = branchRows(block, source(skills));
    assert.equal(below.length, 500);
    assert.ok(below.every((row) => row.kind === "skill" && row.parent === block));
  });

  it("fold within a long group, under ids of their own", () => {
    const skills = Array.from({ length: 2400 }, (_, index) =>
      skill(`s${index}`, { task: index % 2 === 0 ? "data" : "ops" }),
    );
    const arrangement = { ...plainArrangement, grouping: "task" } as const;
    const groups = topRows(source(skills, { arrangement }));
    const ids = groups.flatMap((group) => {
      assert.ok(group.kind === "branch");
      return branchRows(group, source(skills)).flatMap((row) =>
        row.kind === "branch" ? [row.id] : [],
      );
    });
    assert.equal(ids.length, 2);
    assert.equal(new Set(ids).size, 2);
  });
});
