import type { SkillSummary } from "../skill/skill";

/** How a list that is searched while typing stands when Enter is pressed. */
export interface SearchMoment {
  readonly typed: string;
  /** The text that what is shown answers; undefined before the first answer. */
  readonly answered: string | undefined;
  /** Whether the typed text itself can be taken. */
  readonly offersText: boolean;
  /** Whether the highlighted row is a skill. */
  readonly isOnSkill: boolean;
}

/**
 * Says what Enter takes: the highlighted skill, the typed text, or nothing yet, because the rows are
 * still those of another text, and none of them was meant.
 */
export function enterInSearch(moment: SearchMoment): "skill" | "text" | "nothingYet" | "nothing" {
  const { typed, answered, offersText, isOnSkill } = moment;
  const isCurrent = typed === answered;
  if (offersText && !(isCurrent && isOnSkill)) return "text";
  if (!isCurrent) return "nothingYet";
  return isOnSkill ? "skill" : "nothing";
}

/**
 * Picks the skill that was meant by a text whose results were not shown yet: the one of that name, or
 * the only one found. Undefined where the user has to choose.
 */
export function meantByText(
  skills: readonly SkillSummary[],
  typed: string,
): SkillSummary | undefined {
  const wanted = typed.toLowerCase();
  const named = skills.filter(
    ({ slug, displayName }) =>
      slug.toLowerCase() === wanted || displayName.toLowerCase() === wanted,
  );
  if (named.length === 1) return named[0];
  return wanted !== "" && skills.length === 1 ? skills[0] : undefined;
}

/** A row that is found again by its slug; hidden ones are shown only where the typed text is in them. */
export interface StayingRow {
  readonly slug: string;
  readonly alwaysShow?: boolean;
}

/**
 * Adds the rows of a new answer to a list without moving any: the editor tells of a checked row by its
 * number, and what it tells may have been said of the list before. A row that is in the answer becomes
 * the answer's, one that is neither in it nor checked stays in its place unseen. Each says whether it is
 * picked: the editor would tell of a moment without a mark as if the user had removed it.
 */
export function stableRows<Row extends StayingRow>(
  before: readonly Row[],
  answer: readonly Row[],
  checked: readonly Row[],
): (Row & { readonly picked: boolean })[] {
  const found = new Map(answer.map((row) => [row.slug, row]));
  const isChecked = new Set(checked.map(({ slug }) => slug));
  const kept = before.map((row) => {
    const fresh = found.get(row.slug);
    found.delete(row.slug);
    return fresh ?? { ...row, alwaysShow: isChecked.has(row.slug) };
  });
  return [...kept, ...found.values()].map((row) => ({ ...row, picked: isChecked.has(row.slug) }));
}

/**
 * Whether the editor told of other marks than are to stand. The same ones are not set again: until it hears of them
 * somebody may have checked another row, which would be taken away.
 */
export function areOthers(told: readonly StayingRow[], checked: readonly StayingRow[]): boolean {
  const slugs = new Set(checked.map(({ slug }) => slug));
  return told.length !== slugs.size || told.some(({ slug }) => !slugs.has(slug));
}

/**
 * The rows that are checked once the editor has told of `told`: a person checks or removes one row at a time, or
 * all that are `shown` at once. What loses several otherwise, or one for another, was said of a moment in which
 * the list was filled, and takes no mark away.
 */
export function checkedAfter<Row extends StayingRow>(
  before: readonly Row[],
  told: readonly Row[],
  shown: readonly Row[],
): Row[] {
  const slugs = (rows: readonly Row[]) => new Set(rows.map(({ slug }) => slug));
  const [had, has] = [slugs(before), slugs(told)];
  const added = told.filter(({ slug }) => !had.has(slug));
  const removed = before.filter(({ slug }) => !has.has(slug));
  const wasAll = shown.length > 0 && shown.every(({ slug }) => had.has(slug));
  const isMeant = added.length === 0 && (removed.length <= 1 || wasAll);
  return isMeant ? [...told] : [...before, ...added];
}
