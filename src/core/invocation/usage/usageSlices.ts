import { dayMs, localDay } from "../../text/dates";
import { currencyOf } from "../../text/money";
import { oneLine } from "../../text/plainText";
import type { InvocationStatus } from "../invocation";
import { type CallerKind, callerKindOf, type InvocationRecord } from "../record/invocationRecord";
import type { UsageRecord } from "../record/usage";

/** An invocation of a chart: what is added up, and which one it is. */
export interface ChartedRecord extends UsageRecord {
  readonly id: string;
  readonly day: string;
}

/** Invocations as compact plain data, in which each text stands once. */
export interface UsageSlice {
  readonly texts: readonly string[];
  readonly rows: readonly UsageRow[];
}

/** Numbers of texts are places in `texts`. */
type UsageRow = readonly [
  id: string,
  startedAt: number,
  durationMs: number,
  amountCents: number | null,
  day: number,
  registry: number,
  skill: number,
  status: number,
  caller: number,
  currency: number,
  testRun: 0 | 1,
];

/** Takes about 5 ms to write, so that nothing else of the host waits. */
const sliceRows = 5_000;

/** A slug of a registry has at most 100 characters; a file on the disk may say anything. */
const longestText = 200;

/** Writes invocations down in slices; one without rows where there are none. */
export function* usageSlices(
  records: readonly InvocationRecord[],
): Generator<UsageSlice, undefined> {
  for (let start = 0; start === 0 || start < records.length; start += sliceRows) {
    yield sliceOf(records.slice(start, start + sliceRows));
  }
}

function sliceOf(records: readonly InvocationRecord[]): UsageSlice {
  const places = new Map<string, number>();
  const texts: string[] = [];
  const place = (text: string) => {
    const known = places.get(text);
    if (known !== undefined) return known;
    places.set(text, texts.length);
    return texts.push(oneLine(text, longestText)) - 1;
  };
  const rows = records.map((record): UsageRow => {
    const { id, startedAt, durationMs, amountCents, registry, skillSlug, status } = record;
    return [
      id,
      startedAt,
      durationMs,
      amountCents ?? null,
      place(localDay(startedAt)),
      place(registry),
      place(skillSlug),
      place(status),
      place(callerKindOf(record) ?? "other"),
      place(currencyOf(record.currency ?? "")),
      record.kind === "testRun" ? 1 : 0,
    ];
  });
  return { texts, rows };
}

/** Reads what `usageSlices` wrote. */
export function recordsOfSlice({ texts, rows }: UsageSlice): readonly ChartedRecord[] {
  const text = (place: number) => texts[place] ?? "";
  return rows.map(
    ([id, startedAt, durationMs, cents, day, registry, skill, status, caller, currency, test]) => ({
      id,
      startedAt,
      durationMs,
      day: text(day),
      registry: text(registry),
      skillSlug: text(skill),
      status: text(status) as InvocationStatus,
      caller: { kind: text(caller) as CallerKind },
      currency: text(currency),
      ...(cents !== null && { amountCents: cents }),
      ...(test === 1 && { kind: "testRun" as const }),
    }),
  );
}

/** The ranges of days to choose from, today included. */
export const usageRanges = [1, 7, 30, 90] as const;

/** Which invocations are charted; what is empty leaves all. */
export interface UsageFilter {
  readonly days: (typeof usageRanges)[number];
  readonly registry: string;
  readonly skill: string;
  readonly caller: string;
}

/** The filter of a page that is opened first. */
export const firstUsageFilter: UsageFilter = { days: 30, registry: "", skill: "", caller: "" };

/** Reads a filter that was stored, maybe by another version: what is not known there is as at first. */
export function readUsageFilter(value: unknown): UsageFilter {
  if (typeof value !== "object" || value === null) return firstUsageFilter;
  const { days, ...given } = value as Partial<Record<keyof UsageFilter, unknown>>;
  const text = (name: Exclude<keyof UsageFilter, "days">) => {
    const found = given[name];
    return typeof found === "string" && found.length <= longestText ? found : "";
  };
  return {
    days: usageRanges.find((range) => range === days) ?? firstUsageFilter.days,
    registry: text("registry"),
    skill: text("skill"),
    caller: text("caller"),
  };
}

/** Lists the days up to a last one, as `YYYY-MM-DD`, by the calendar: a day of 23 or 25 hours is one. */
export function daysUntil(last: string, count: number): readonly string[] {
  const end = Date.parse(`${last}T00:00:00Z`);
  return Array.from({ length: count }, (_, index) =>
    new Date(end - (count - 1 - index) * dayMs).toISOString().slice(0, 10),
  );
}

/** Chooses what a filter leaves, up to a local day. */
export function filteredUsage(
  records: readonly ChartedRecord[],
  { days, registry, skill, caller }: UsageFilter,
  today: string,
): readonly ChartedRecord[] {
  const [first = today] = daysUntil(today, days);
  return records.filter(
    (record) =>
      record.day >= first &&
      record.day <= today &&
      (registry === "" || record.registry === registry) &&
      (skill === "" || record.skillSlug === skill) &&
      (caller === "" || (callerKindOf(record) ?? "other") === caller),
  );
}
