import { permissionLevels, withStatedLevel } from "../skill/permissions";
import type { SkillSummary } from "../skill/skill";
import type { Language } from "../text/language";
import { filterTitle, filterValueLabel } from "./listLabels";
import {
  type SkillFacets,
  type SkillFilterName,
  type SkillFilters,
  type SkillQuery,
  skillFilterNames,
} from "./skillQuery";

/**
 * Returns whether a skill passes the filters. A row without the filtered property passes, since the registry applied
 * the filter. Only the publisher's filter rejects such a row, since no registry filters by it.
 */
export function skillMatches(skill: SkillSummary, filters: SkillFilters): boolean {
  return skillFilterNames.every((name) => passes(skill, name, filters[name] ?? []));
}

/**
 * Finds the filters that a registry ignored: some returned skill does not pass them. Registries silently skip unknown
 * filters.
 */
export function ignoredFilters(
  skills: readonly SkillSummary[],
  filters: SkillFilters,
): readonly SkillFilterName[] {
  return skillFilterNames.filter((name) =>
    skills.some((skill) => !passes(withStatedLevel(skill), name, filters[name] ?? [])),
  );
}

/**
 * Finds the filters that cannot be verified. Some of the skills lack the property, so the registry may or may not have
 * applied them.
 */
export function uncheckedFilters(
  skills: readonly SkillSummary[],
  filters: SkillFilters,
): readonly SkillFilterName[] {
  return skillFilterNames.filter(
    (name) =>
      (filters[name]?.length ?? 0) > 0 &&
      skills.some((skill) => filterAttributes(skill, name) === undefined),
  );
}

function passes(skill: SkillSummary, name: SkillFilterName, wanted: readonly string[]): boolean {
  if (wanted.length === 0) return true;
  const values = filterAttributes(skill, name)?.map((value) => value.toLowerCase());
  if (values === undefined) return name !== "publisher";
  const has = (candidate: string) => values.includes(candidate.toLowerCase());
  return name === "tags" ? wanted.every(has) : wanted.some(has);
}

/** Lists the values of a skill for a filter; undefined if its row has none. */
function filterAttributes(
  skill: SkillSummary,
  name: SkillFilterName,
): readonly string[] | undefined {
  return attributeReaders[name](skill);
}

const attributeReaders: Readonly<
  Record<SkillFilterName, (skill: SkillSummary) => readonly string[] | undefined>
> = {
  task: ({ task }) => toList(task),
  runtime: ({ runtimeType }) => toList(runtimeType),
  verification: ({ verificationStatus }) => toList(verificationStatus),
  permissionProfile: ({ permissionLevel }) => toList(permissionLevel),
  billingModel: ({ billingModel }) => toList(billingModel),
  publisher: ({ publisher }) => publisher && [publisher.name, ...(toList(publisher.slug) ?? [])],
  tags: ({ tags }) => tags,
};

function toList(value: string | undefined): readonly string[] | undefined {
  return value === undefined ? undefined : [value];
}

/** Returns whether every word of a search occurs in a skill's slug, name, description or tags. */
export function matchesText(skill: SkillSummary, text: string): boolean {
  const searched = searchedText(skill);
  return searchTerms(text).every((word) => searched.includes(word));
}

/**
 * Returns whether a result looks as if the registry had not searched: most rows contain no word of the text. The result
 * of a semantic search looks alike, so this is no proof.
 */
export function looksUnsearched(skills: readonly SkillSummary[], text: string): boolean {
  const words = searchTerms(text);
  if (words.length === 0 || skills.length === 0) return false;
  const without = skills.filter((skill) => {
    const searched = searchedText(skill);
    return !words.some((word) => searched.includes(word));
  });
  return without.length > skills.length / 2;
}

function searchedText({ slug, displayName, description, tags }: SkillSummary): string {
  return [slug, displayName, description, ...tags].join("\n").toLowerCase();
}

function searchTerms(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

/** One restriction of a list: the search text, or a value of a filter. */
type Restriction =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "filter"; readonly name: SkillFilterName; readonly value: string };

/** Lists the restrictions of a query, the search text first. */
export function activeRestrictions({ text, filters }: SkillQuery): readonly Restriction[] {
  return [
    ...(text === "" ? [] : [{ kind: "text", text } as const]),
    ...skillFilterNames.flatMap((name) =>
      (filters[name] ?? []).map((value) => ({ kind: "filter", name, value }) as const),
    ),
  ];
}

/** Removes one restriction from a query. */
export function withoutRestriction(query: SkillQuery, restriction: Restriction): SkillQuery {
  if (restriction.kind === "text") return { ...query, text: "" };
  const { name, value } = restriction;
  const { [name]: values = [], ...others } = query.filters;
  const remaining = values.filter((candidate) => candidate !== value);
  return { ...query, filters: remaining.length === 0 ? others : { ...others, [name]: remaining } };
}

/** Names a restriction for people: its kind, and its value. */
export function restrictionLabels(
  restriction: Restriction,
  language: Language,
): {
  readonly title: string;
  readonly value: string;
} {
  const { t } = language;
  if (restriction.kind === "text") {
    const value = t("“{text}”", { text: restriction.text });
    return { title: t("Search"), value };
  }
  const { name, value } = restriction;
  return { title: filterTitle(name, language), value: filterValueLabel(name, value, language) };
}

/** As long as the longest value that is read from a registry: 200 characters and an ellipsis. */
const maxLength = 201;

/**
 * Reads filters that another extension or a key binding passed to a command: each a text or a list of texts. Undefined
 * for anything else, so that the command asks the user.
 */
export function readSkillFilters(value: unknown): SkillFilters | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const given = value as Readonly<Record<string, unknown>>;
  const filters: Partial<Record<SkillFilterName, readonly string[]>> = {};
  for (const name of skillFilterNames) {
    if (!Object.hasOwn(given, name)) continue;
    const values = readValues(given[name]);
    if (values === undefined) return undefined;
    if (values.length > 0) filters[name] = values;
  }
  return filters;
}

function readValues(value: unknown): readonly string[] | undefined {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  const texts = values.filter(
    (text): text is string => typeof text === "string" && text.length <= maxLength,
  );
  if (texts.length !== values.length || texts.length > maxOffered) return undefined;
  return texts.map((text) => text.trim()).filter((text) => text !== "");
}

/** The values that registries are known to use. Others are a registry's own. */
const knownValues: Readonly<Record<SkillFilterName, readonly string[]>> = {
  task: [
    "automation",
    "content",
    "data",
    "dev",
    "ecommerce",
    "education",
    "finance",
    "hr",
    "legal",
    "marketing",
    "ops",
    "research",
    "sales",
    "security",
    "seo",
    "ui",
  ],
  runtime: ["http", "mcp", "local"],
  verification: ["verified", "submitted", "deprecated"],
  permissionProfile: permissionLevels,
  billingModel: ["free", "per_call", "subscription"],
  publisher: [],
  tags: [],
};

/** The maximum number of offered values. A search finds further tags and publishers. */
const maxOffered = 100;

/** A value of a filter, with the number of its skills if that is known. */
interface FilterValue {
  readonly value: string;
  readonly count?: number;
  readonly active: boolean;
}

/** The values of a filter. `countedOver` is the number of skills counted here; undefined if the registry counted. */
interface FilterValues {
  readonly values: readonly FilterValue[];
  readonly countedOver?: number;
}

/** The list from which a filter takes its values. */
export interface CountedList {
  readonly skills: readonly SkillSummary[];
  readonly facets?: SkillFacets;
  /** Whether `skills` has all skills of the registry. Then a value that none of them has finds nothing. */
  readonly isWhole?: boolean;
}

/**
 * Lists the values of a filter. If the registry counts them, these are the counted ones; else those of the loaded
 * skills, the most frequent first, then other known ones. Omits values that certainly find nothing: those counted as 0
 * and, if all skills are loaded, those that no skill has. Always includes active values.
 */
export function filterValues(
  name: SkillFilterName,
  list: CountedList | undefined,
  active: SkillFilters,
): FilterValues {
  const chosen = active[name] ?? [];
  const loaded = countLoaded(name, list?.skills ?? []);
  const isAll = areAllValuesKnown(name, list);
  const counted = (list?.facets?.[name] ?? []).filter(
    ({ value, count }) => count > 0 && (!isAll || loaded.size === 0 || hasValue(loaded, value)),
  );
  const byRegistry = counted.length > 0;
  const counts = byRegistry ? new Map(counted.map(({ value, count }) => [value, count])) : loaded;
  const others = isAll ? [] : knownValues[name];
  const offered = byRegistry ? counts.keys() : [...byFrequency(counts), ...others];
  const values = [...new Set([...[...offered].slice(0, maxOffered), ...chosen])];
  return {
    values: values.map((value) => ({ value, active: chosen.includes(value), ...countOf(value) })),
    ...(byRegistry || counts.size === 0 ? {} : { countedOver: list?.skills.length ?? 0 }),
  };

  function countOf(value: string): { count?: number } {
    const count = counts.get(value);
    return count === undefined ? {} : { count };
  }
}

function hasValue(counts: ReadonlyMap<string, number>, value: string): boolean {
  const wanted = value.toLowerCase();
  return [...counts.keys()].some((known) => known.toLowerCase() === wanted);
}

/** Returns a note on the values of a filter: how several are combined, or what they were counted over; often empty. */
export function filterNote(
  name: SkillFilterName,
  { countedOver: count }: FilterValues,
  { t }: Language,
): string {
  const notes = [
    name === "tags" ? t("All tags must match") : "",
    count === undefined ? "" : t("Counts of {count} loaded skills", { count }),
  ];
  return notes.filter(Boolean).join(" · ");
}

/**
 * Returns whether a value that no loaded skill has certainly finds nothing. False if a row lacks the property, since
 * the registry may still filter by it.
 */
function areAllValuesKnown(name: SkillFilterName, list: CountedList | undefined): boolean {
  if (list?.isWhole !== true) return false;
  return list.skills.every((skill) => filterAttributes(skill, name) !== undefined);
}

function countLoaded(name: SkillFilterName, skills: readonly SkillSummary[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const skill of skills) {
    const values = filterAttributes(skill, name) ?? [];
    // A publisher is matched by name and by slug, and offered by name.
    for (const value of name === "publisher" ? values.slice(0, 1) : new Set(values)) {
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  }
  return counts;
}

function byFrequency(counts: ReadonlyMap<string, number>): readonly string[] {
  return [...counts]
    .sort(([one, some], [other, more]) => more - some || (one < other ? -1 : 1))
    .map(([value]) => value);
}
