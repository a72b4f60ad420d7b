import { failureWords } from "../failureWords";
import type { RegistryFailure } from "../registryFailure";
import type { SkillList } from "../skillList";
import { filterTitle } from "../skillQueryWords";
import type { SkillArrangement } from "./skillArrangement";

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
  readonly problem?: ListProblem;
  /** Loaded skills that the user hid and that are out of sight. */
  readonly hidden: number;
}

/** Says what a reader of the list should know about it, the most important first; a line each. */
export function listNotes(
  { list, arrangement, problem, hidden }: NotedList,
  timeWords: (time: number) => string,
): readonly string[] {
  const count = list.skills.length;
  const ignored = list.ignoredFilters.filter((name) => name !== "publisher").map(filterTitle);
  const goesOn = list.nextCursor !== undefined || list.brokenEnd !== undefined;
  const notes = [
    problem && problemWords(problem, timeWords),
    list.brokenEnd === "cutOff" && `${count} shown, more exist: narrow the search or the filter.`,
    list.brokenEnd === "circle" &&
      `${count} shown. The registry's pages lead in a circle, so that the list ends here.`,
    ignored.length > 0 &&
      `The registry ignored the filter ${ignored.join(", ")}; it was applied here.`,
    list.ignoredFilters.includes("publisher") &&
      "Filtered by publisher here, among the skills loaded: registries have no such filter.",
    arrangement.order === "name" && goesOn && `Sorted by name among the ${count} loaded.`,
    hidden > 0 && (hidden === 1 ? "1 skill is hidden." : `${hidden} skills are hidden.`),
  ];
  return notes.filter((note): note is string => typeof note === "string");
}

function problemWords(
  { kind, since, failure }: ListProblem,
  timeWords: (time: number) => string,
): string {
  return kind === "stale"
    ? `List of ${timeWords(since)}, not refreshed since: ${failureWords(failure)}`
    : `More could not be loaded: ${failureWords(failure)}`;
}
