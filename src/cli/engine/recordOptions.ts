import { type InvocationStatus, invocationStatuses } from "../../core/invocation/invocation";
import { filterRecords, noFilter } from "../../core/invocation/record/invocationList";
import {
  type CallerKind,
  callerKinds,
  type InvocationRecord,
} from "../../core/invocation/record/invocationRecord";
import { type ParsedArguments, usageError } from "../command";

/** The options that say which invocations of the record are meant. */
export const recordOptions = {
  skill: { value: "SLUG", text: "Only of this skill. May be repeated.", multiple: true },
  status: {
    value: "STATUS",
    text: `Only with this status: ${invocationStatuses.join(", ")}. May be repeated.`,
    multiple: true,
  },
  caller: {
    value: "CALLER",
    text: `Only by this caller: ${callerKinds.join(", ")}. May be repeated.`,
    multiple: true,
  },
  project: {
    value: "SLUG",
    text: "Only for this project, where the registry named it. May be repeated.",
    multiple: true,
  },
  since: {
    value: "TIME",
    text: "Only since a time such as 2026-11-24 or 2026-11-24T08:00, or for a while such as 30m, 12h or 7d.",
  },
  until: {
    value: "TIME",
    text: "Only until such a time, a day with all its hours.",
  },
} as const;

/** Keeps of a record what was asked for. */
export type Wanted = <Item extends InvocationRecord>(records: readonly Item[]) => readonly Item[];

/** Reads the options of `recordOptions` as they were given to a command. */
export function readWanted(given: ParsedArguments, command: string, now: number): Wanted {
  const since = readTime(given, command, "since", now) ?? 0;
  const until = readTime(given, command, "until", now) ?? Number.POSITIVE_INFINITY;
  const projects = given.list("project");
  const isWanted = ({ startedAt, projectSlug = "" }: InvocationRecord) =>
    startedAt >= since &&
    startedAt < until &&
    (projects.length === 0 || projects.includes(projectSlug));
  const filter = {
    ...noFilter,
    skills: given.list("skill"),
    statuses: namesOf<InvocationStatus>(given, command, "status", invocationStatuses),
    callers: namesOf<CallerKind>(given, command, "caller", callerKinds),
  };
  return (records) => filterRecords(records, filter).filter(isWanted);
}

function namesOf<Name extends string>(
  given: ParsedArguments,
  command: string,
  option: string,
  known: readonly Name[],
): readonly Name[] {
  return given.list(option).map((name) => {
    const found = known.find((one) => one === name);
    if (found !== undefined) return found;
    throw usageError(command, `--${option} expects one of ${known.join(", ")}.`);
  });
}

const unitsMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads a time in this machine's zone, or how long ago; in milliseconds since 1970. A day lasts until the next begins. */
function readTime(
  given: ParsedArguments,
  command: string,
  option: "since" | "until",
  now: number,
): number | undefined {
  const text = given.text(option);
  if (text === undefined) return undefined;
  const [, count, unit = ""] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (count !== undefined) return now - Number(count) * (unitsMs[unit] ?? 0);
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const time = new Date(isDay ? `${text}T00:00` : text);
  if (isDay && option === "until") time.setDate(time.getDate() + 1);
  if ((isDay || /^\d{4}-\d\d-\d\dT/.test(text)) && !Number.isNaN(time.getTime()))
    return time.getTime();
  throw usageError(
    command,
    `--${option} expects a time such as 2026-11-24, or a while such as 12h.`,
  );
}
