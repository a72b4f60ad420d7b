import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { SkillSummary } from "../../../../src/core/skill/skill";
import { extendList, startList } from "../../../../src/core/skillList/skillList";

function skill(slug: string): SkillSummary {
  return { slug, displayName: slug, description: "", tags: [], version: "1.0.0", numbers: {} };
}

function page(slugs: readonly string[], nextCursor?: string) {
  return {
    skills: slugs.map(skill),
    ignoredFilters: [],
    ...(nextCursor === undefined ? {} : { nextCursor }),
  };
}

describe("a list of skills", () => {
  it("grows page by page and ends with the last", () => {
    const list = extendList(startList(page(["a", "b"], "1")), page(["c"]));
    assert.deepEqual(
      list.skills.map(({ slug }) => slug),
      ["a", "b", "c"],
    );
    assert.equal(list.nextCursor, undefined);
  });

  it("lists a slug once, within a page and over pages", () => {
    const list = extendList(startList(page(["a", "a", "b"], "1")), page(["b", "c"]));
    assert.deepEqual(
      list.skills.map(({ slug }) => slug),
      ["a", "b", "c"],
    );
  });

  it("ends if a cursor repeats itself or an earlier one", () => {
    const itself = extendList(startList(page(["a"], "1")), page(["b"], "1"));
    assert.equal(itself.nextCursor, undefined);
    const second = extendList(startList(page(["a"], "1")), page(["b"], "2"));
    assert.equal(extendList(second, page(["c"], "1")).nextCursor, undefined);
  });

  it("explains why it ends if the registry truncates it or repeats cursors", () => {
    assert.equal(startList({ ...page(["a"]), isCutOff: true }).brokenEnd, "cutOff");
    const circle = extendList(startList(page(["a"], "1")), page(["b"], "1"));
    assert.equal(circle.brokenEnd, "circle");
    assert.equal(extendList(startList(page(["a"], "1")), page(["b"])).brokenEnd, undefined);
  });

  it("remembers filters that an earlier page ignored", () => {
    const first = startList({ ...page(["a"], "1"), ignoredFilters: ["task"] });
    assert.deepEqual(extendList(first, page(["b"])).ignoredFilters, ["task"]);
  });

  it("keeps the counts of the first page if the next has none", () => {
    const facets = { task: [{ value: "data", count: 2 }] };
    const list = extendList(startList({ ...page(["a"], "1"), total: 9, facets }), page(["b"]));
    assert.equal(list.total, 9);
    assert.deepEqual(list.facets, facets);
  });
});
