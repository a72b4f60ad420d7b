import type { SkillSummary } from "../skill/skill";
import type { Language } from "../text/language";
import type { SkillListPage } from "./skillQuery";

/** The state of a search list, which is updated while typing, at the time when Enter is pressed. */
export interface SearchState {
  readonly typed: string;
  /** The text whose results are shown; undefined before the first. */
  readonly shownText: string | undefined;
  /** Whether the user may accept the typed text itself. */
  readonly offersText: boolean;
  /** Whether the highlighted row is a skill. */
  readonly isOnSkill: boolean;
}

/**
 * Decides what Enter accepts: the highlighted skill, the typed text, or nothing yet while the rows are the results of
 * another text. So Enter does not depend on a registry's speed.
 */
export function enterInSearch(state: SearchState): "skill" | "text" | "nothingYet" | "nothing" {
  const { typed, shownText: answered, offersText, isOnSkill } = state;
  if (typed !== answered) return "nothingYet";
  if (isOnSkill) return "skill";
  return offersText ? "text" : "nothing";
}

/**
 * Finds the skill to highlight if the typed text itself can be accepted as well. Prefers the skill of that name, then
 * the first whose name starts with the text, then one whose name contains it. Undefined if the text itself is to be
 * accepted.
 */
export function bestMatch(
  skills: readonly SkillSummary[],
  typed: string,
): SkillSummary | undefined {
  const wanted = typed.toLowerCase();
  if (wanted === "") return undefined;
  const nameOf = ({ displayName }: SkillSummary) => displayName.toLowerCase();
  return (
    skills.find((skill) => skill.slug.toLowerCase() === wanted || nameOf(skill) === wanted) ??
    skills.find((skill) => nameOf(skill).startsWith(wanted)) ??
    skills.find((skill) => nameOf(skill).includes(wanted))
  );
}

/**
 * Finds the skill to accept for a text whose results were not shown yet: the skill of that name, or the only result.
 * Undefined if the user must choose.
 */
export function skillNamedBy(
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

/**
 * Labels the row that accepts the typed text. Accepting it lists the skills that the text finds and the view's filters
 * let pass.
 */
export function listText(text: string, isFiltered: boolean, { t }: Language): string {
  if (text === "") {
    return isFiltered
      ? t("List all skills that pass the filters in the Skills view")
      : t("List all skills in the Skills view");
  }
  return isFiltered
    ? t("List “{text}” in the Skills view, with its filters", { text })
    : t("List “{text}” in the Skills view", { text });
}

/** Notes below the rows of a search that nothing was found, that more exist, or that the search was local. */
export function searchNotes(
  { skills, nextCursor, isCutOff, ignoredText }: SkillListPage,
  { t }: Language,
): readonly string[] {
  const count = skills.length;
  const hasMore = nextCursor !== undefined || isCutOff === true;
  return [
    count === 0 && !hasMore ? t("No skill matches.") : "",
    hasMore ? t("Showing {count}. More exist: type more to narrow the search.", { count }) : "",
    ignoredText === true
      ? t("The search text was applied locally, because the registry did not apply it.")
      : "",
  ].filter((note) => note !== "");
}
