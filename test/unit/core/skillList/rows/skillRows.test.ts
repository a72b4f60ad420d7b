import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { withPermissions } from "../../../../../src/core/skill/permissions";
import type { SkillSummary } from "../../../../../src/core/skill/skill";
import {
  branchRows,
  type ListRow,
  type SkillRowSource,
  topRows,
} from "../../../../../src/core/skillList/rows/skillRows";
import { startList } from "../../../../../src/core/skillList/skillList";
import {
  plainArrangement,
  type SkillGrouping,
  type SkillOrder,
  SortedSkills,
  sortSkills,
} from "../../../../../src/core/skillList/skillOrder";
import { english } from "../../../../../src/core/text/language";

function skill(slug: string, more: Partial<SkillSummary> = {}): SkillSummary {
  const row = { slug, displayName: slug.toUpperCase(), description: "", tags: [] };
  return { ...row, version: "1.0.0", numbers: {}, ...more };
}

function source(skills: readonly SkillSummary[], more: Partial<SkillRowSource> = {}) {
  const { list = startList({ skills, ignoredFilters: [] }), arrangement = plainArrangement } = more;
  return {
    skills: sortSkills(list, arrangement.order, english),
    arrangement,
    favorites: [],
    isUnrestricted: true,
    language: english,
    ...more,
    list,
  };
}

function text(rows: readonly ListRow[]): string[] {
  return rows.map((row) => {
    if (row.kind === "more") return "more";
    if (row.kind === "branch") return `${row.title} (${row.skills.length})`;
    const marks = [row.isFavorite && "★", row.absence].filter(Boolean);
    return [row.skill.slug, ...marks].join(" ");
  });
}

describe("the sort value of a list", () => {
  const skills = [
    skill("a", { numbers: { installs: 7, calls: 70 } }),
    skill("b", { numbers: { installs: 4 } }),
    skill("c"),
  ];
  const favorites = [{ slug: "b", name: "B" }];
  const measures = (order: SkillOrder, grouping: SkillGrouping = "none") => {
    const made = source(skills, { arrangement: { order, grouping }, favorites });
    const rows = topRows(made).flatMap((row) => [
      row,
      ...(row.kind === "branch" ? branchRows(row, made) : []),
    ]);
    return rows.flatMap((row) => (row.kind === "skill" ? [row.measure] : []));
  };
  const installs = (value: number) => ({ name: "installs", value });

  it("is read from each row that has it, also favorites and rows in groups", () => {
    const expected = [installs(4), installs(7), undefined];
    assert.deepEqual(measures("adoption"), expected);
    assert.deepEqual(measures("adoption", "task"), expected);
  });

  it("is empty in the registry's own order, by name, and if no row has it", () => {
    for (const order of ["recommended", "name", "success"] as const) {
      assert.deepEqual(measures(order), [undefined, undefined, undefined]);
    }
  });
});

describe("a growing list", () => {
  const names = (skills: readonly SkillSummary[]) => skills.map(({ slug }) => slug).join("");
  const page = (slugs: string) =>
    [...slugs].map((slug, index) => skill(slug, { numbers: { installs: index } }));

  it("is sorted like a list that arrived at once, in every order", () => {
    const pages = ["dbz", "a", "", "cyx"].map(page);
    for (const order of ["name", "adoption", "recommended"] as const) {
      const sorted = new SortedSkills();
      for (const [index] of pages.entries()) {
        const list = { skills: pages.slice(0, index + 1).flat(), ignoredSort: true } as const;
        assert.equal(
          names(sorted.of(list, order, english)),
          names(sortSkills(list, order, english)),
        );
      }
    }
  });

  it("is sorted again if it is another list or has another order", () => {
    const sorted = new SortedSkills();
    const skills = page("cab");
    assert.equal(names(sorted.of({ skills }, "name", english)), "abc");
    assert.equal(names(sorted.of({ skills }, "recommended", english)), "cab");
    assert.equal(names(sorted.of({ skills: page("zcab") }, "name", english)), "abcz");
    assert.equal(names(sorted.of({ skills: page("ba") }, "name", english)), "ab");
    assert.equal(names(sorted.of({ skills: [] }, "name", english)), "");
  });

  it("is returned unchanged if nothing is new", () => {
    const sorted = new SortedSkills();
    const skills = page("cab");
    assert.equal(
      sorted.of({ skills }, "name", english),
      sorted.of({ skills: [...skills] }, "name", english),
    );
  });
});

const marked = (...slugs: string[]) => slugs.map((slug) => ({ slug, name: `Name of ${slug}` }));

describe("the rows of the Skills view", () => {
  it("follow the registry's order, or names", () => {
    const skills = [skill("b"), skill("c"), skill("a")];
    assert.deepEqual(text(topRows(source(skills))), ["b", "c", "a"]);
    const arrangement = { ...plainArrangement, order: "name" } as const;
    assert.deepEqual(text(topRows(source(skills, { arrangement }))), ["a", "b", "c"]);
  });

  it("have practice skills in a group of their own for newcomers", () => {
    const skills = [skill("b", { tags: ["practice"] }), skill("a"), skill("c", { tags: ["x"] })];
    const group = "Practice: blocked, limited, slow or failing (1)";
    const rows = (more: Partial<SkillRowSource>) =>
      text(topRows(source(skills, { isBuiltIn: true, ...more })));
    assert.deepEqual(rows({}), ["a", "c", group]);
    const last = topRows(source(skills, { isBuiltIn: true })).at(-1);
    assert.ok(last?.kind === "branch" && !last.isOpen);
    assert.deepEqual(rows({ isUnrestricted: false }), ["b", "a", "c"]);
    assert.deepEqual(rows({ isBuiltIn: false }), ["b", "a", "c"]);
    const arrangement = { ...plainArrangement, order: "name" } as const;
    assert.deepEqual(rows({ arrangement }), ["a", "b", "c"]);
    assert.deepEqual(rows({ favorites: marked("b") }), ["b ★", "a", "c"]);
  });

  it("are sorted by numbers in names and titles", () => {
    const skills = ["Step 10", "Step 2", "Step 1"].map((name) =>
      skill(name, { displayName: name, task: name }),
    );
    const byName = { ...plainArrangement, order: "name" } as const;
    const names = ["Step 1", "Step 2", "Step 10"];
    assert.deepEqual(text(topRows(source(skills, { arrangement: byName }))), names);
    const byTask = { ...plainArrangement, grouping: "task" } as const;
    assert.deepEqual(
      text(topRows(source(skills, { arrangement: byTask }))),
      names.map((name) => `${name} (1)`),
    );
  });

  it("are sorted by the editor if lists were joined, or permissions exceed the stated level", () => {
    const arrangement = { ...plainArrangement, order: "low_risk" } as const;
    const levels = ["low", "medium", "high", "low"];
    const skills = levels.map((permissionLevel, index) => skill(`s${index}`, { permissionLevel }));
    const rows = (shown: readonly SkillSummary[], more: object = {}) => {
      const list = startList({ skills: shown, ignoredFilters: [], ...more });
      return text(topRows(source(shown, { arrangement, list })));
    };
    assert.deepEqual(rows(skills), ["s0", "s1", "s2", "s3"]);
    assert.deepEqual(rows(skills, { isJoined: true }), ["s0", "s3", "s1", "s2"]);
    const writes = {
      network: false,
      browser: false,
      filesystem: "write",
      secretCount: 0,
      secretNames: [],
    } as const;
    const known = skills.map((one, index) => (index === 0 ? withPermissions(one, writes) : one));
    assert.deepEqual(rows(known), ["s3", "s1", "s0", "s2"]);
  });

  it("are sorted by the editor only if the registry ignored the order, below the favorites", () => {
    const used = (slug: string, installs: number) => skill(slug, { numbers: { installs } });
    const skills = [used("a", 1), used("d", 3), used("c", 9), used("b", 5)];
    const arrangement = { ...plainArrangement, order: "adoption" } as const;
    const favorites = marked("a");
    const ignoring = startList({ skills, ignoredFilters: [], ignoredSort: true });
    const rows = (more: Partial<SkillRowSource>) =>
      text(topRows(source(skills, { arrangement, favorites, ...more })));
    assert.deepEqual(rows({ list: ignoring }), ["a ★", "c", "b", "d"]);
    assert.deepEqual(rows({}), ["a ★", "d", "c", "b"]);
    assert.deepEqual(rows({ list: ignoring, arrangement: plainArrangement }), [
      "a ★",
      "d",
      "c",
      "b",
    ]);
  });

  it("are sorted by the numbers in their names, in groups as well", () => {
    const named = ["Skill 10", "Skill 2", "skill 1"];
    const skills = named.map((displayName, index) =>
      skill(`s${index}`, { displayName, task: displayName }),
    );
    const arrangement = { ...plainArrangement, order: "name" } as const;
    const rows = text(topRows(source(skills, { arrangement })));
    assert.deepEqual(rows, ["s2", "s1", "s0"]);
    const grouped = { ...plainArrangement, grouping: "task" } as const;
    const titles = text(topRows(source(skills, { arrangement: grouped })));
    assert.deepEqual(titles, ["skill 1 (1)", "Skill 2 (1)", "Skill 10 (1)"]);
  });

  it("form groups, and skills without a value are in the last one", () => {
    const skills = [skill("x"), skill("b", { task: "ops" }), skill("a", { task: "data" })];
    const arrangement = { ...plainArrangement, grouping: "task" } as const;
    const grouped = source(skills, { arrangement });
    const rows = topRows(grouped);
    assert.deepEqual(text(rows), ["data (1)", "ops (1)", "Task not provided (1)"]);
    const [first] = rows;
    assert.ok(first?.kind === "branch");
    const [below] = branchRows(first, grouped);
    assert.ok(below?.kind === "skill");
    assert.deepEqual([below.skill.slug, below.group], ["a", "task"]);
  });

  it("start with the favorites, once, including those that are not loaded", () => {
    const favorites = marked("gone", "b");
    const skills = [skill("a"), skill("b")];
    assert.deepEqual(text(topRows(source(skills, { favorites }))), [
      "gone ★ notListed",
      "b ★",
      "a",
    ]);
    const list = startList({ skills, ignoredFilters: [], nextCursor: "1" });
    assert.deepEqual(text(topRows(source(skills, { favorites, list }))), [
      "gone ★ notLoaded",
      "b ★",
      "a",
      "more",
    ]);
    assert.deepEqual(text(topRows(source(skills, { favorites, isUnrestricted: false }))), [
      "b ★",
      "a",
    ]);
  });

  it("mention a missing review only if the workspace has files of the skill", () => {
    const file = { use: "payload", address: "file:///b.json", path: "b.json" } as const;
    const made = source([skill("a"), skill("b"), skill("c")], {
      standingOf: ({ slug }) => (slug === "c" ? "reviewed" : "unreviewed"),
      filesOf: (slug) => (slug === "b" ? [file] : []),
    });
    const standings = topRows(made).map((row) => (row.kind === "skill" ? row.standing : row.kind));
    assert.deepEqual(standings, [undefined, "unreviewed", "reviewed"]);
  });

  it("stay about a thousand per level, however many are loaded", () => {
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

  it("fold within a long group, with their own ids", () => {
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
