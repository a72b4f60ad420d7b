import { dayMs } from "../../text/dates";
import type { UsageGroup } from "./usage";

/** The ranges of days to choose from, today included. */
export const usageRanges = [1, 7, 30, 90] as const;

/** The charted record: this machine's, or the project's as its registry lists it. */
export type UsageSource = "machine" | "project";

/** Which invocations are charted. Empty parts match all. */
export interface UsageFilter {
  readonly source: UsageSource;
  /** The chosen range: the whole record, a number of days up to today, or a custom one. */
  readonly days: (typeof usageRanges)[number] | "record" | "own";
  /** The first and the last day of a custom range, as `YYYY-MM-DD`; empty for none. */
  readonly from: string;
  readonly to: string;
  readonly registry: string;
  readonly project: string;
  readonly skill: string;
  readonly caller: string;
  readonly profile: string;
}

/** The filter of a page that is opened for the first time. */
export const firstUsageFilter: UsageFilter = {
  source: "machine",
  days: "record",
  from: "",
  to: "",
  registry: "",
  project: "",
  skill: "",
  caller: "",
  profile: "",
};

/** The maximum length of a text. A slug has at most 100 characters, an address some more. */
const longestText = 200;

/** Parses a stored filter, maybe of another version. Unknown parts are reset. */
export function readUsageFilter(value: unknown): UsageFilter {
  if (typeof value !== "object" || value === null) return firstUsageFilter;
  const { source, days, ...given } = value as Partial<Record<keyof UsageFilter, unknown>>;
  const text = (name: Exclude<keyof UsageFilter, "source" | "days">) => {
    const found = given[name];
    return typeof found === "string" && found.length <= longestText ? found : "";
  };
  return {
    source: source === "project" ? source : "machine",
    days:
      [...usageRanges, "record" as const, "own" as const].find((range) => range === days) ??
      firstUsageFilter.days,
    from: text("from"),
    to: text("to"),
    registry: text("registry"),
    project: text("project"),
    skill: text("skill"),
    caller: text("caller"),
    profile: text("profile"),
  };
}

/** The maximum number of days. Nobody could distinguish more bars. */
export const maxDays = 366;
/** The minimum number of days of a whole record. A chart of one bar shows no course. */
const minDays = 7;

/** Why a custom range cannot be charted: a day is missing, the last is before the first, or there are too many. */
type RangeProblem = "missing" | "reversed" | "tooLong";

/**
 * Lists the days of a filter's range, as `YYYY-MM-DD` by the calendar, or explains why there are none. `firstDay` is
 * the first day of the record; undefined if it is empty.
 */
export function daysOf(
  { days, from, to }: Pick<UsageFilter, "days" | "from" | "to">,
  today: string,
  firstDay = today,
): readonly string[] | RangeProblem {
  if (days === "record") {
    const count = 1 + (timeOfDay(today) - timeOfDay(firstDay)) / dayMs;
    return daysUntil(today, Math.max(minDays, Math.min(count, maxDays)));
  }
  if (days !== "own") return daysUntil(today, days);
  const count = 1 + (timeOfDay(to) - timeOfDay(from)) / dayMs;
  if (Number.isNaN(count)) return "missing";
  if (count < 1) return "reversed";
  return count > maxDays ? "tooLong" : daysUntil(to, count);
}

/** Lists the days up to a last one, as `YYYY-MM-DD`. A day of 23 or 25 hours is one day. */
export function daysUntil(last: string, count: number): readonly string[] {
  const end = timeOfDay(last);
  return Array.from({ length: count }, (_, index) =>
    new Date(end - (count - 1 - index) * dayMs).toISOString().slice(0, 10),
  );
}

/** Returns the start and the end of a range of local days, in milliseconds since 1970; NaN for an invalid day. */
export function timesOf(
  from: string,
  to: string,
): { readonly since: number; readonly until: number } {
  const end = new Date(`${to}T00:00`);
  end.setDate(end.getDate() + 1);
  return { since: new Date(`${from}T00:00`).getTime(), until: end.getTime() };
}

function timeOfDay(day: string): number {
  return /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
}

/**
 * Selects the invocations of a filter within some days, in order. The project's record has no other registries,
 * projects, callers and profiles, so these filters do not apply to it.
 */
export function filteredUsage(
  groups: readonly UsageGroup[],
  { source, registry, project, skill, caller, profile }: UsageFilter,
  days: readonly string[],
): readonly UsageGroup[] {
  const [first = "", last = ""] = [days[0], days.at(-1)];
  const isWanted = (group: UsageGroup) =>
    (registry === "" || group.registry === registry) &&
    (project === "" || group.project === project) &&
    (profile === "" || group.profile === profile) &&
    (caller === "" || (group.caller?.kind ?? "other") === caller);
  return groups.filter(
    (group) =>
      group.day >= first &&
      group.day <= last &&
      (skill === "" || group.skillSlug === skill) &&
      (source === "project" || isWanted(group)),
  );
}
