import { failureWords } from "../registry/failureWords";
import type { RegistryFailure } from "../registry/registryFailure";
import type { Language } from "../text/language";
import { uncheckedFilters } from "./filter/skillMatches";
import { filterTitle } from "./filter/skillQueryWords";
import type { SkillArrangement } from "./order/skillArrangement";
import { sortNote } from "./order/sortNote";
import { sinceWords } from "./sinceWords";
import type { SkillList } from "./skillList";
import type { SkillFilterName, SkillFilters } from "./skillQuery";

/** Why a list is not all it could be, and since when (milliseconds since 1970). */
export interface ListProblem {
  /** Whether the list could not be refreshed, or could not be continued. */
  readonly kind: "stale" | "interrupted";
  readonly since: number;
  readonly failure: RegistryFailure;
}

/** What is to be said above a list. */
export interface NotedList {
  readonly list: SkillList;
  readonly arrangement: SkillArrangement;
  readonly filters: SkillFilters;
  readonly problem?: ListProblem;
  /** The time it is, in milliseconds since 1970. */
  readonly now: number;
  /** Loaded skills that the user hid and that are out of sight. */
  readonly hidden: number;
  /** Loaded skills that a filter leaves out because their permissions amount to more than the registry states. */
  readonly leftOut: number;
}

/** Says what a reader of the list should know about it, the most important first. */
export function listNotes(
  { list, arrangement, filters, problem, hidden, leftOut, now }: NotedList,
  language: Language,
): readonly string[] {
  const { t } = language;
  const count = list.skills.length;
  const ignored = list.ignoredFilters.filter((name) => name !== "publisher");
  const unchecked = uncheckedFilters(list.skills, filters);
  const titles = (named: readonly SkillFilterName[]) =>
    named.map((name) => filterTitle(name, language)).join(", ");
  const goesOn = list.nextCursor !== undefined || list.brokenEnd !== undefined;
  const notes = [
    problem && problemWords(problem, now, language),
    list.brokenEnd === "cutOff" &&
      t("{count} shown, more exist: narrow the search or the filter.", { count }),
    list.brokenEnd === "circle" &&
      t("{count} shown. The registry's pages lead in a circle, so that the list ends here.", {
        count,
      }),
    list.ignoredText === true && t("The registry ignored the search text; it was applied here."),
    ignored.length > 0 &&
      t("Filter {names} was applied locally, because the registry did not apply it.", {
        names: titles(ignored),
      }),
    unchecked.length > 0 &&
      t("The filter {names} cannot be checked: not every row says what it goes by.", {
        names: titles(unchecked),
      }),
    list.ignoredFilters.includes("publisher") &&
      t(
        "Filtered by publisher locally, among the loaded skills whose publisher the registry names.",
      ),
    sortNote(list, arrangement.order, language),
    arrangement.order === "name" &&
      goesOn &&
      t("Sorted by name among the {count} loaded.", { count }),
    leftOut > 0 &&
      t("{count} left out: the permissions amount to more than the registry states.", {
        count: leftOut,
      }),
    hidden > 0 &&
      (hidden === 1 ? t("1 skill is hidden.") : t("{count} skills are hidden.", { count: hidden })),
  ];
  return notes.filter((note): note is string => typeof note === "string");
}

function problemWords(
  { kind, since, failure }: ListProblem,
  now: number,
  language: Language,
): string {
  const reason = failureWords(failure, language);
  return kind === "stale"
    ? language.t("List of {time}, not refreshed since: {reason}", {
        time: sinceWords(since, now, language),
        reason,
      })
    : language.t("More could not be loaded: {reason}", { reason });
}
