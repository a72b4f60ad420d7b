import type { SkillSummary } from "../../core/skill/skill";
import { sortHere } from "../../core/skillList/skillOrder";
import {
  type SkillFacets,
  type SkillFilterName,
  type SkillSort,
  skillFilterNames,
} from "../../core/skillList/skillQuery";
import { given } from "../decode/field";
import type { WirePage } from "../decode/readSkillPage";

/** What the answers to the parts of a query hold together. */
export type JoinedPage = Pick<WirePage, "skills" | "total" | "facets">;

/**
 * Joins the answers to the parts of a query: each skill once, in the order that was asked for where the
 * rows state what it goes by, else taking turns. Totals add up as long as no part repeats another.
 */
export function joinPages(
  pages: readonly WirePage[],
  sort: SkillSort | undefined,
  split: readonly SkillFilterName[],
): JoinedPage {
  const [first] = pages;
  if (first !== undefined && pages.length === 1) return first;
  const skills = takingTurns(pages.map((page) => page.skills));
  const rows = pages.reduce((sum, page) => sum + page.skills.length, 0);
  const totals = pages.flatMap(({ total }) => total ?? []);
  const isWhole = totals.length === pages.length && skills.length === rows;
  return {
    skills: sort === undefined ? skills : sortHere(skills, sort),
    ...given("total", isWhole ? totals.reduce((sum, total) => sum + total, 0) : undefined),
    ...given("facets", isWhole ? joinFacets(pages, split) : undefined),
  };
}

function takingTurns(lists: readonly (readonly SkillSummary[])[]): readonly SkillSummary[] {
  const bySlug = new Map<string, SkillSummary>();
  const longest = Math.max(...lists.map(({ length }) => length));
  for (let rank = 0; rank < longest; rank += 1) {
    for (const { [rank]: skill } of lists) {
      if (skill !== undefined && !bySlug.has(skill.slug)) bySlug.set(skill.slug, skill);
    }
  }
  return [...bySlug.values()];
}

/**
 * Adds up how many skills stand behind each value. Of the filters the query was split by, a registry may
 * count the values of all parts in each, so that their highest count is taken.
 */
function joinFacets(
  pages: readonly WirePage[],
  split: readonly SkillFilterName[],
): SkillFacets | undefined {
  const facets: { [name in SkillFilterName]?: { value: string; count: number }[] } = {};
  for (const name of skillFilterNames) {
    const counts = new Map<string, number>();
    for (const { value, count } of pages.flatMap((page) => page.facets?.[name] ?? [])) {
      const known = counts.get(value) ?? 0;
      counts.set(value, split.includes(name) ? Math.max(known, count) : known + count);
    }
    if (counts.size > 0) facets[name] = [...counts].map(([value, count]) => ({ value, count }));
  }
  return Object.keys(facets).length === 0 ? undefined : facets;
}
