import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { SkillSummary } from "../../../../src/core/skill/skill";
import {
  loadMoreCount,
  loadPages,
  maxPagesAtOnce,
  startList,
} from "../../../../src/core/skillList/skillList";

const { signal: never } = new AbortController();

function skill(slug: string): SkillSummary {
  return { slug, displayName: slug, description: "", tags: [], version: "", numbers: {} };
}

function page(start: number, size: number, nextCursor?: string) {
  const skills = Array.from({ length: size }, (_, index) => skill(`s${start + index}`));
  return { skills, ignoredFilters: [], ...(nextCursor === undefined ? {} : { nextCursor }) };
}

/** Returns a registry with endless pages that counts its requests. */
function endless(size: number) {
  const asked: string[] = [];
  const ask = async (cursor: string) => {
    asked.push(cursor);
    const start = Number(cursor);
    return { ok: true, value: page(start, size, String(start + size)) } as const;
  };
  return { asked, ask };
}

describe("loading more pages", () => {
  it("ends after the requested number of skills", async () => {
    const { ask, asked } = endless(100);
    const { list } = await loadPages(startList(page(0, 100, "100")), 250, ask, never);
    assert.equal(list.skills.length, 400);
    assert.deepEqual(asked, ["100", "200", "300"]);
  });

  it("ends after ten pages of a registry with nearly empty pages", async () => {
    const { ask, asked } = endless(1);
    await loadPages(startList(page(0, 1, "1")), 1000, ask, never);
    assert.equal(asked.length, maxPagesAtOnce);
  });

  it("ends after three pages of joined lists, each of which takes several requests", async () => {
    const { ask, asked } = endless(1);
    await loadPages({ ...startList(page(0, 1, "1")), isJoined: true }, 1000, ask, never);
    assert.equal(asked.length, 3);
  });

  it("ends after ten pages of a registry with empty pages", async () => {
    let asked = 0;
    const ask = async () => {
      asked += 1;
      return { ok: true, value: { ...page(0, 0), nextCursor: `c${asked}` } } as const;
    };
    await loadPages(startList(page(0, 1, "c")), 1, ask, never);
    assert.equal(asked, maxPagesAtOnce);
  });

  it("ends with the last page of the list", async () => {
    const ask = async () => ({ ok: true, value: page(1, 1) }) as const;
    const { list, failure } = await loadPages(startList(page(0, 1, "1")), 500, ask, never);
    assert.equal(list.skills.length, 2);
    assert.equal(failure, undefined);
  });

  it("keeps loaded skills when a page fails, and the place to continue", async () => {
    const { ask: good } = endless(100);
    const failure = { kind: "errorAnswer", status: 500 } as const;
    const ask = async (cursor: string) =>
      cursor === "200" ? ({ ok: false, failure } as const) : good(cursor);
    const loaded = await loadPages(startList(page(0, 100, "100")), 500, ask, never);
    assert.equal(loaded.list.skills.length, 200);
    assert.equal(loaded.list.nextCursor, "200");
    assert.equal(loaded.failure, failure);
  });

  it("ends when nobody waits any more", async () => {
    const stop = new AbortController();
    let asked = 0;
    const ask = async () => {
      asked += 1;
      stop.abort();
      return { ok: true, value: page(asked, 1, `c${asked}`) } as const;
    };
    await loadPages(startList(page(0, 1, "c")), 100, ask, stop.signal);
    assert.equal(asked, 1);
  });

  it("doubles the number of skills, at least one and at most five hundred more", () => {
    const wanted = (size: number) => loadMoreCount(startList(page(0, size, "c")));
    assert.deepEqual([0, 100, 5000].map(wanted), [1, 100, 500]);
  });
});
