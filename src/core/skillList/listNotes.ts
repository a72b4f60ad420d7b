import { type RegistryFailure, registryFailureText } from "../registry/registryFailure";
import { localDay, momentText } from "../text/dates";
import { dateFormat } from "../text/formats";
import type { Language } from "../text/language";
import { filterTitle, orderLabels } from "./listLabels";
import { uncheckedFilters } from "./skillFilters";
import type { SkillList } from "./skillList";
import {
  measureOf,
  type SkillArrangement,
  type SkillOrder,
  type SortMeasureName,
  wireSort,
} from "./skillOrder";
import type { SkillFilterName, SkillFilters } from "./skillQuery";

/** Why a list is outdated or incomplete, and since when (milliseconds since 1970). */
export interface ListProblem {
  /** Whether refreshing the list failed, or loading its next page. */
  readonly kind: "stale" | "interrupted";
  readonly since: number;
  readonly failure: RegistryFailure;
}

/** A list with everything its notes depend on. */
export interface NotedList {
  readonly list: SkillList;
  readonly arrangement: SkillArrangement;
  readonly filters: SkillFilters;
  readonly problem?: ListProblem;
  /** The current time, in milliseconds since 1970. */
  readonly now: number;
  /**
   * The number of loaded skills that a filter omits because their permissions exceed the level that the registry
   * states.
   */
  readonly leftOut: number;
}

/** Lists the notes for readers of the list, the most important first. */
export function listNotes(
  { list, arrangement, filters, problem, leftOut, now }: NotedList,
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
    problem && problemText(problem, now, language),
    list.brokenEnd === "cutOff" &&
      t("Showing {count}. More exist: narrow the search or the filters.", { count }),
    list.brokenEnd === "circle" &&
      t("Showing {count}. The registry returned a repeated page cursor.", {
        count,
      }),
    list.ignoredText === true &&
      t("The search text was applied locally, because the registry did not apply it."),
    ignored.length > 0 &&
      t("Filters applied locally, because the registry did not apply them: {names}.", {
        names: titles(ignored),
      }),
    unchecked.length > 0 &&
      t("Filters that could not be verified, since some skills lack these fields: {names}.", {
        names: titles(unchecked),
      }),
    list.ignoredFilters.includes("publisher") &&
      t(
        "Filtered by publisher locally, among the loaded skills whose publisher the registry names.",
      ),
    sortNote(list, arrangement.order, language),
    arrangement.order === "name" &&
      goesOn &&
      t("Sorted by name among {count} loaded skills.", { count }),
    leftOut > 0 &&
      t("Left out because their permissions amount to more than the registry states: {count}.", {
        count: leftOut,
      }),
  ];
  return notes.filter((note): note is string => typeof note === "string");
}

function problemText(
  { kind, since, failure }: ListProblem,
  now: number,
  language: Language,
): string {
  const reason = registryFailureText(failure, language);
  return kind === "stale"
    ? language.t("List from {time}; refresh failed: {reason}", {
        time: sinceText(since, now, language),
        reason,
      })
    : language.t("Loading more failed: {reason}", { reason });
}

/** Notes that rows are sorted locally because the registry did not sort them. Undefined if it did. */
function sortNote(
  { skills, ignoredSort }: SkillList,
  order: SkillOrder,
  language: Language,
): string | undefined {
  const { t } = language;
  const sort = wireSort(order);
  const measure = sort && ignoredSort === true ? measureOf(skills, sort) : undefined;
  if (measure === undefined) return undefined;
  const name = orderLabels(order, language).title;
  return t(
    "The registry did not apply the order “{name}”. {count} loaded skills are sorted locally by {measure}.",
    {
      name,
      count: skills.length,
      measure: measureLabel(measure.name, language),
    },
  );
}

function measureLabel(name: SortMeasureName, { t }: Language): string {
  switch (name) {
    case "installs":
      return t("installs");
    case "calls":
      return t("invocations");
    case "successRate":
      return t("success rate");
    case "permissionLevel":
      return t("permission level");
    case "lastChange":
      return t("last change");
  }
}

/** Formats a time, with the date if it was on another day. Both times are in milliseconds since 1970. */
function sinceText(time: number, now: number, language: Language): string {
  if (localDay(time) !== localDay(now)) return momentText(time, language);
  return dateFormat(language.locale, { timeStyle: "short" }).format(time);
}
