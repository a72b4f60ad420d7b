import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { SkillSummary } from "../../../../src/core/skill/skill";
import { LastLists, startList } from "../../../../src/core/skillList/skillList";

function dated(count: number, loadedAt: number) {
  const row = { displayName: "", description: "", tags: [], version: "", numbers: {} };
  const skills = Array.from(
    { length: count },
    (_, at): SkillSummary => ({ ...row, slug: `s${at}` }),
  );
  return { list: startList({ skills, ignoredFilters: [] }), loadedAt };
}

describe("the last lists", () => {
  it("are found by their query, the newest of each", () => {
    const last = new LastLists();
    last.keep("a", dated(1, 1));
    last.keep("b", dated(2, 2));
    last.keep("a", dated(3, 3));
    assert.equal(last.find("a")?.loadedAt, 3);
    assert.equal(last.find("b")?.list.skills.length, 2);
    assert.equal(last.find("c"), undefined);
  });

  it("are five at most: a new one replaces the oldest", () => {
    const last = new LastLists();
    for (const question of ["a", "b", "c", "d", "e"]) last.keep(question, dated(1, 1));
    last.keep("a", dated(1, 2));
    last.keep("f", dated(1, 3));
    const kept = ["a", "b", "c", "d", "e", "f"].filter((question) => last.find(question));
    assert.equal(kept.join(""), "acdef");
  });

  it("do not include long lists, and a long one removes the earlier list of its query", () => {
    const last = new LastLists();
    last.keep("a", dated(1000, 1));
    assert.equal(last.find("a")?.loadedAt, 1);
    last.keep("a", dated(1001, 2));
    assert.equal(last.find("a"), undefined);
  });
});
