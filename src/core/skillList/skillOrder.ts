import type { SkillSummary } from "../skill/skill";
import { collator } from "../text/formats";
import type { Language } from "../text/language";
import type { SkillSort } from "./skillQuery";

/** An order of the Skills view: one of a registry's, or by name, which is sorted locally. */
export type SkillOrder = SkillSort | "name";

/** The orders, in the order in which the user sees them. */
export const skillOrders = [
  "recommended",
  "adoption",
  "success",
  "low_risk",
  "recent",
  "name",
] as const satisfies readonly SkillOrder[];

/** The property by which the rows of the Skills view are grouped. */
export type SkillGrouping = "none" | "task" | "publisher" | "state";

/** The groupings, in the order in which the user sees them. */
export const skillGroupings = [
  "none",
  "task",
  "publisher",
  "state",
] as const satisfies readonly SkillGrouping[];

/** The layout of the Skills view. */
export interface SkillArrangement {
  readonly order: SkillOrder;
  readonly grouping: SkillGrouping;
}

/** The registry's own order, ungrouped. */
export const plainArrangement: SkillArrangement = { order: "recommended", grouping: "none" };

/** Returns the sort order to request from a registry; undefined leaves it to the registry. */
export function wireSort(order: SkillOrder): SkillSort | undefined {
  return order === "name" || order === "recommended" ? undefined : order;
}

/** Reads an order that was stored or passed to a command. Undefined for an unknown one. */
export function readOrder(value: unknown): SkillOrder | undefined {
  return skillOrders.find((order) => order === value);
}

/** Reads a grouping that was stored or passed to a command. Undefined for an unknown one. */
export function readGrouping(value: unknown): SkillGrouping | undefined {
  return skillGroupings.find((grouping) => grouping === value);
}

/** A property of rows by which an order can sort. */
export type SortMeasureName =
  | "installs"
  | "calls"
  | "successRate"
  | "permissionLevel"
  | "lastChange";

/** A measure of a row; the highest comes first. Undefined if the row lacks it. */
interface SortMeasure {
  readonly name: SortMeasureName;
  readonly of: (skill: SkillSummary) => number | undefined;
}

/**
 * Lists the measures by which a registry may sort for an order, the likeliest first. None for its recommendation, which
 * only the registry knows.
 */
function sortMeasures(sort: SkillSort): readonly SortMeasure[] {
  switch (sort) {
    case "recommended":
      return [];
    case "adoption":
      return [
        { name: "installs", of: ({ numbers }) => numbers.installs },
        { name: "calls", of: ({ numbers }) => numbers.calls },
      ];
    case "success":
      return [{ name: "successRate", of: ({ numbers }) => numbers.successRate }];
    case "low_risk":
      return [
        { name: "permissionLevel", of: ({ permissionLevel }) => harmlessness(permissionLevel) },
      ];
    case "recent":
      return [{ name: "lastChange", of: ({ updatedAt }) => updatedAt }];
  }
}

function harmlessness(level: string | undefined): number | undefined {
  const rank = ["high", "medium", "low"].indexOf(level?.toLowerCase() ?? "");
  return rank < 0 ? undefined : rank;
}

/** The maximum number of compared rows, since each is compared with each. */
const maxCompared = 100;

/**
 * The share of pairs that may be in the opposite order. A registry may weight its sort value (a success rate by the
 * number of invocations), which reverses a few pairs. Unsorted rows have about half reversed.
 */
const maxReversedShare = 1 / 4;

/** The minimum number of compared rows. Fewer would seem unsorted even in a weighted order. */
const minCompared = 6;

/**
 * Returns whether the rows are sorted by none of the measures that the requested order may use. False if too few rows
 * have such a measure.
 */
export function isSortIgnored(
  skills: readonly SkillSummary[],
  sort: SkillSort | undefined,
): boolean {
  const measures = sort === undefined ? [] : sortMeasures(sort);
  if (measures.length === 0 || skills.length < minCompared) return false;
  const compared = skills.slice(0, maxCompared);
  const valuesByMeasure = measures.map((measure) => valuesOf(compared, measure));
  const comparable = valuesByMeasure.filter((values) => values.length >= minCompared);
  return comparable.length > 0 && !comparable.some(areSorted);
}

/** Sorts rows by a measure that most of them have. Rows without it come last. */
export function sortLocally(
  skills: readonly SkillSummary[],
  sort: SkillSort,
): readonly SkillSummary[] {
  const measure = measureOf(skills, sort);
  if (measure === undefined) return skills;
  const valued = skills.map((skill) => ({
    skill,
    value: measure.of(skill) ?? Number.NEGATIVE_INFINITY,
  }));
  // The difference of two infinities is NaN.
  return valued
    .sort((one, other) => (one.value === other.value ? 0 : other.value - one.value))
    .map(({ skill }) => skill);
}

/** Returns the measure that `sortLocally` uses. Undefined for an order without a measure in rows. */
export function measureOf(
  skills: readonly SkillSummary[],
  sort: SkillSort,
): SortMeasure | undefined {
  const counted = sortMeasures(sort).map((measure) => ({
    measure,
    stated: valuesOf(skills, measure).length,
  }));
  const most = Math.max(...counted.map(({ stated }) => stated));
  return counted.find(({ stated }) => stated === most)?.measure;
}

function valuesOf(skills: readonly SkillSummary[], { of }: SortMeasure): readonly number[] {
  return skills.map(of).filter((value) => value !== undefined);
}

function areSorted(values: readonly number[]): boolean {
  let inOrder = 0;
  let against = 0;
  for (const [index, earlier] of values.entries()) {
    for (const later of values.slice(index + 1)) {
      if (earlier > later) inOrder += 1;
      else if (earlier < later) against += 1;
    }
  }
  return against <= (inOrder + against) * maxReversedShare;
}

/** Skills in the order a registry returned them, and whether it followed the requested order. */
interface UnsortedList {
  readonly skills: readonly SkillSummary[];
  readonly ignoredSort?: boolean | undefined;
  readonly isJoined?: boolean | undefined;
}

/**
 * Sorts skills: by name, or as the registry did. They are sorted locally if the registry ignored the order, several
 * lists were joined, or permissions exceed the level that the registry states.
 */
export function sortSkills(
  { skills, ignoredSort, isJoined }: UnsortedList,
  order: SkillOrder,
  language: Language,
): readonly SkillSummary[] {
  if (order === "name") return byName(skills, language);
  const sort = wireSort(order);
  const isUnsorted =
    ignoredSort === true ||
    isJoined === true ||
    (sort === "low_risk" && skills.some(({ understatedLevel }) => understatedLevel !== undefined));
  return sort === undefined || !isUnsorted ? skills : sortLocally(skills, sort);
}

function byName(skills: readonly SkillSummary[], { locale }: Language): readonly SkillSummary[] {
  const { compare } = collator(locale, { numeric: true });
  return [...skills].sort(
    (one, other) => compare(one.displayName, other.displayName) || (one.slug < other.slug ? -1 : 1),
  );
}

/**
 * Sorts a list that grows page by page. Adds new rows after the sorted ones before it sorts all, since a list that is
 * nearly sorted takes less time.
 */
export class SortedSkills {
  #skills: readonly SkillSummary[] = [];
  #sorted: readonly SkillSummary[] = [];
  #arrangement = "";

  /** Sorts skills, as `sortSkills` does. */
  of(
    { skills, ignoredSort, isJoined }: UnsortedList,
    order: SkillOrder,
    language: Language,
  ): readonly SkillSummary[] {
    const arrangement = [order, ignoredSort, isJoined, language.locale].join(" ");
    const hasGrown = arrangement === this.#arrangement && startsWith(skills, this.#skills);
    if (!hasGrown || skills.length > this.#skills.length) {
      const start = hasGrown ? [...this.#sorted, ...skills.slice(this.#skills.length)] : skills;
      this.#sorted = sortSkills({ skills: start, ignoredSort, isJoined }, order, language);
    }
    this.#skills = skills;
    this.#arrangement = arrangement;
    return this.#sorted;
  }
}

function startsWith(skills: readonly SkillSummary[], start: readonly SkillSummary[]): boolean {
  return start.length <= skills.length && start.every((skill, index) => skill === skills[index]);
}
