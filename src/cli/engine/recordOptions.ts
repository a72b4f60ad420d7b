import { invocationStatuses } from "../../core/invocation/outcome";
import { invocationCountText } from "../../core/invocation/record/invocationLabels";
import { callerKinds } from "../../core/invocation/record/invocationRecord";
import type { RecordQuery } from "../../core/invocation/record/recordQuery";
import { localDay } from "../../core/text/dates";
import { english } from "../../core/text/language";
import type { InvocationHistory } from "../../engine/record/invocationHistory";
import type { OptionTable, OptionValues } from "../options";
import { UsageError } from "../terminal";

const group = "Which invocations";

/** Options that select invocations of the record. */
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
    text: 'Only from this profile of an editor, or from the "command line".',
    multiple: true,
    group,
  },
  project: {
    value: "SLUG",
    text: "Only for this project, if the registry named it.",
    multiple: true,
    group,
  },
  since: {
    value: "TIME",
    text: "Only since a time such as 2026-11-24 or 2026-11-24T08:00, or within the last 30m, 12h or 7d.",
    group,
  },
  until: {
    value: "TIME",
    text: "Only until such a time. A date includes its whole day.",
    group,
  },
} as const satisfies OptionTable;

/** Parses the options of `recordOptions`. Throws a `UsageError` for an invalid time. */
export function readQuery(options: OptionValues<typeof recordOptions>, now: number): RecordQuery {
  const since = readTime("since", options.since, now);
  const until = readTime("until", options.until, now);
  const { skill: skills, status: statuses, caller: callers, project: projects } = options;
  const { profile: profiles } = options;
  return {
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(skills.length > 0 && { skills }),
    ...(statuses.length > 0 && { statuses }),
    ...(callers.length > 0 && { callers }),
    ...(projects.length > 0 && { projects }),
    ...(profiles.length > 0 && { profiles }),
  };
}

/** Describes since when the record is complete. Empty if the record has no invocations, or if the time is unknown. */
export async function extentLine(history: Pick<InvocationHistory, "extent">): Promise<string> {
  const extent = await history.extent();
  if (extent === undefined) return "";
  const texts = [
    [extent.single, ""],
    [extent.ofBatches, " of runs and suites"],
  ] as const;
  const sentences = texts.flatMap(([{ count, since }, of]) =>
    since === undefined
      ? []
      : [`${invocationCountText(count, english)}${of} since ${localDay(since)}`],
  );
  return sentences.length === 0 ? "" : `On record: ${sentences.join(", and ")}.\n`;
}

const unitsMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Parses a time (local unless it names a zone) or a duration before now. Returns ms since 1970. A date includes its
 * whole day.
 */
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
