import { countFacets, type FacetValue } from "./facets";
import { readCursor, writeCursor } from "./pageCursor";
import { matchesText, passesFilters, readFilters } from "./searchFilters";
import type { Skill } from "./skill";
import { skillOrders, sortSkills } from "./sortSkills";

/** A page of a search, or the parameter that could not be read. */
export type SearchResult =
  | {
      readonly ok: true;
      readonly skills: readonly Skill[];
      /** Null on the last page. */
      readonly nextCursor: string | null;
      /** How many skills match on all pages. */
      readonly total: number;
      readonly facets: Readonly<Record<string, readonly FacetValue[]>>;
    }
  | { readonly ok: false; readonly parameter: string; readonly problem: string };

const defaultLimit = 20;
const maxLimit = 100;

/** Searches the skills as a query of the search route asks. A limit above 100 means 100. */
export function searchSkills(all: readonly Skill[], query: URLSearchParams): SearchResult {
  const orderName = query.get("sort") || "recommended";
  const order = skillOrders.find((name) => name === orderName);
  if (order === undefined) return wrong("sort", `must be one of ${skillOrders.join(", ")}`);
  const limitText = query.get("limit") || String(defaultLimit);
  if (!/^0*[1-9]\d*$/.test(limitText)) return wrong("limit", "must be a whole number above 0");
  const limit = Math.min(Number(limitText), maxLimit);

  const text = (query.get("q") ?? "").trim();
  const asked = readFilters(query);
  const withText = all.filter((skill) => matchesText(skill, text));
  const matching = sortSkills(
    withText.filter((skill) => passesFilters(skill, asked)),
    order,
  );

  const search = JSON.stringify([order, text, [...asked]]);
  const cursor = query.get("cursor") ?? "";
  const start = cursor === "" ? 0 : startAfter(matching, readCursor(search, cursor));
  if (start === undefined) return wrong("cursor", "is not one this search gave");

  const skills = matching.slice(start, start + limit);
  const last = skills.at(-1);
  const more = start + skills.length < matching.length;
  return {
    ok: true,
    skills,
    nextCursor: more && last !== undefined ? writeCursor(search, last.slug) : null,
    total: matching.length,
    facets: countFacets(withText, asked),
  };
}

function startAfter(skills: readonly Skill[], slug: string | undefined): number | undefined {
  const index = skills.findIndex((skill) => skill.slug === slug);
  return index === -1 ? undefined : index + 1;
}

function wrong(parameter: string, problem: string): SearchResult {
  return { ok: false, parameter, problem };
}
