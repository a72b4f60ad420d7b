import type { JsonObject, JsonValue } from "../../core/json/jsonValue";
import { holdsPlaceholder } from "../../core/registry/redactSecrets";
import type { Result } from "../../core/registry/registryFailure";
import type { SkillSummary } from "../../core/skill/skill";
import type { SkillFacets, SkillFilterName } from "../../core/skillList/skillQuery";
import { given, listOf, member, numberOf, objectOf, textOf, unwrapList } from "./field";
import { readSkillRow } from "./readSkillRow";

/** A page of the list as the registry gave it. */
export interface WirePage {
  readonly skills: readonly SkillSummary[];
  /** How many rows the registry gave, those that are left out counted in. */
  readonly givenRows: number;
  readonly nextCursor?: string;
  readonly total?: number;
  readonly facets?: SkillFacets;
}

/** A page is asked for with 100 rows; of a registry that gives all it has at once, this many are read. */
export const maxRows = 1000;

/** Longer than any honest cursor, and still fit for a URL. */
const maxCursorLength = 2000;

/**
 * Reads a page. Rows that cannot be read are left out, and so are further rows of the same slug; a
 * page of which no row can be read is a failure.
 */
export function readSkillPage(body: JsonValue, route: string): Result<WirePage> {
  const list = unwrapList(body, "skills");
  if (list === undefined) return unreadable(route, "skills");
  const skills = distinct(listOf([...list.items], readSkillRow, maxRows));
  if (skills.length === 0 && list.items.length > 0) return unreadable(route, "skills[0].slug");
  const { holder } = list;
  const paging = objectOf(member(holder, "pagination", "paging", "page", "meta")) ?? holder;
  return {
    ok: true,
    value: {
      skills,
      givenRows: list.items.length,
      ...given("nextCursor", readCursor(holder) ?? readCursor(paging)),
      ...given("total", numberOf(member(holder, "total") ?? member(paging, "total"))),
      ...given("facets", readFacets(objectOf(member(holder, "facets")))),
    },
  };
}

function distinct(skills: readonly SkillSummary[]): readonly SkillSummary[] {
  const bySlug = new Map<string, SkillSummary>();
  for (const skill of skills) if (!bySlug.has(skill.slug)) bySlug.set(skill.slug, skill);
  return [...bySlug.values()];
}

function readCursor(source: JsonObject): string | undefined {
  const cursor = textOf(member(source, "nextCursor"), maxCursorLength + 1);
  if (cursor === undefined || cursor.length > maxCursorLength) return undefined;
  // One that held a key is of no use any more, and the whole of it must not go back.
  return holdsPlaceholder(cursor) ? undefined : cursor;
}

const facetNames: readonly (readonly [SkillFilterName, readonly string[]])[] = [
  ["task", ["task", "category"]],
  ["runtime", ["runtime", "runtimeType"]],
  ["verification", ["verification", "verificationStatus"]],
  ["permissionProfile", ["permissionProfile", "permissionLevel"]],
  ["billingModel", ["billingModel"]],
  ["publisher", ["publisher", "publishers"]],
  ["tags", ["tags", "tag"]],
];

function readFacets(source: JsonObject | undefined): SkillFacets | undefined {
  if (source === undefined) return undefined;
  const facets: { [name in SkillFilterName]?: SkillFacets[SkillFilterName] } = {};
  for (const [filter, names] of facetNames) {
    const values = listOf(member(source, ...names), readFacetValue);
    if (values.length > 0) facets[filter] = values;
  }
  return Object.keys(facets).length === 0 ? undefined : (facets as SkillFacets);
}

function readFacetValue(item: JsonValue): { value: string; count: number } | undefined {
  const source = objectOf(item);
  const value = source && textOf(member(source, "value", "name"), 60);
  const count = source && numberOf(member(source, "count"));
  return value === undefined || count === undefined ? undefined : { value, count };
}

function unreadable(route: string, field: string): Result<never> {
  return { ok: false, failure: { kind: "unreadable", route, field } };
}
