import { invocationStatuses } from "../../core/invocation/outcome";
import { filterRecords, noFilter } from "../../core/invocation/record/invocationList";
import { callerKinds, type InvocationRecord } from "../../core/invocation/record/invocationRecord";
import type { OptionTable, OptionValues } from "../options";
import { UsageError } from "../terminal";

const group = "Which invocations";

/** The options that say which invocations of the record are meant. */
export const recordOptions = {
  skill: { value: "SLUG", text: "Only of this skill.", multiple: true, group },
  status: {
    value: "STATUS",
    text: "Only with this status.",
    oneOf: invocationStatuses,
    multiple: true,
    group,
  },
  caller: {
    value: "CALLER",
    text: "Only by this caller.",
    oneOf: callerKinds,
    multiple: true,
    group,
  },
  profile: {
    value: "NAME",
    text: 'Only made in this profile of an editor, as the record names it, or by the "command line".',
    multiple: true,
    group,
  },
  project: {
    value: "SLUG",
    text: "Only for this project, where the registry named it.",
    multiple: true,
    group,
  },
  since: {
    value: "TIME",
    text: "Only since a time such as 2026-11-24 or 2026-11-24T08:00, or for a while such as 30m, 12h or 7d.",
    group,
  },
  until: {
    value: "TIME",
    text: "Only until such a time, a day with all its hours.",
    group,
  },
} as const satisfies OptionTable;

/** Keeps of a record what was asked for. */
export type Wanted = <Item extends InvocationRecord>(records: readonly Item[]) => readonly Item[];

/** Reads the options of `recordOptions`. Throws a `UsageError` for what is no time. */
export function readWanted(options: OptionValues<typeof recordOptions>, now: number): Wanted {
  const since = readTime("since", options.since, now) ?? 0;
  const until = readTime("until", options.until, now) ?? Number.POSITIVE_INFINITY;
  const { project: projects } = options;
  const isWanted = ({ startedAt, projectSlug = "" }: InvocationRecord) =>
    startedAt >= since &&
    startedAt < until &&
    (projects.length === 0 || projects.includes(projectSlug));
  const { skill: skills, status: statuses, caller: callers, profile: profiles } = options;
  const filter = { ...noFilter, skills, statuses, callers, profiles };
  return (records) => filterRecords(records, filter).filter(isWanted);
}

const unitsMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads a time, local where it names no zone, or how long ago; in ms since 1970. A day lasts until the next begins. */
function readTime(
  option: "since" | "until",
  text: string | undefined,
  now: number,
): number | undefined {
  if (text === undefined) return undefined;
  const [, count, unit = ""] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (count !== undefined) return now - Number(count) * (unitsMs[unit] ?? 0);
  const [, day, clock, zone = ""] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?: ?(Z|UTC|[+-]\d\d:\d\d))?)?$/.exec(
      text,
    ) ?? [];
  const time = new Date(`${day}T${clock ?? "00:00"}${zone === "UTC" ? "Z" : zone}`);
  if (clock === undefined && option === "until") time.setDate(time.getDate() + 1);
  if (!Number.isNaN(time.getTime())) return time.getTime();
  throw new UsageError(`--${option} expects a time such as 2026-11-24, or a while such as 12h.`);
}
