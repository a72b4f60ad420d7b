import type { SkillSummary } from "../../skill/skill";
import type { SkillSort, SortVerdict } from "../skillQuery";
import { type SortMeasure, sortMeasures } from "./sortMeasures";

/** Each is compared with each, so that no more than these are. */
const maxCompared = 100;

/**
 * The part of the pairs that may stand the other way round. A registry may weigh what it sorts by (a
 * success rate by the calls behind it), and then a few do; where it does not sort, about half do.
 */
const tolerated = 1 / 4;

/** With fewer rows even one that a registry weighed differently would look like no order at all. */
const minCompared = 6;

/**
 * Tells whether rows stand in the order a registry was asked for: undefined where they do or are too
 * few to tell, "ignored" where they go by nothing the order could mean, "unchecked" where they do not
 * state what it goes by.
 */
export function checkSort(
  skills: readonly SkillSummary[],
  sort: SkillSort | undefined,
): SortVerdict | undefined {
  const measures = sort === undefined ? [] : sortMeasures(sort);
  if (measures.length === 0 || skills.length < minCompared) return undefined;
  const compared = skills.slice(0, maxCompared);
  const stated = measures.map((measure) => valuesOf(compared, measure));
  if (stated.every((values) => values.length < 2)) return "unchecked";
  const telling = stated.filter((values) => values.length >= minCompared);
  return telling.length === 0 || telling.some(areSorted) ? undefined : "ignored";
}

/** Sorts rows by what most of them state of an order; those that do not state it come last. */
export function sortHere(
  skills: readonly SkillSummary[],
  sort: SkillSort,
): readonly SkillSummary[] {
  const measure = measureOf(skills, sort);
  if (measure === undefined) return skills;
  const valued = skills.map((skill) => ({
    skill,
    value: measure.of(skill) ?? Number.NEGATIVE_INFINITY,
  }));
  // Infinities that are the same have no difference.
  return valued
    .sort((one, other) => (one.value === other.value ? 0 : other.value - one.value))
    .map(({ skill }) => skill);
}

/** Picks what `sortHere` goes by. Undefined where the order has no measure that rows could state. */
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
  return against <= (inOrder + against) * tolerated;
}
