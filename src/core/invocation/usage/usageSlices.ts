import { localDay } from "../../text/dates";
import { currencyOf } from "../../text/money";
import { oneLine } from "../../text/plainText";
import type { InvocationStatus, Ran } from "../outcome";
import type { CallerKind, InvocationRecord } from "../record/invocationRecord";
import type { UsageRecord } from "../record/usage";

/** An invocation of a chart: what is added up, and which one it is. */
export interface ChartedRecord extends UsageRecord {
  /** Names its record; empty where this machine has none. */
  readonly id: string;
  readonly day: string;
  /** The slug of the project it was for; empty where nobody named it. */
  readonly project: string;
  /** The editor and its profile that it was made in, or the command line; empty where nobody named it. */
  readonly profile: string;
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
  ran: number,
  caller: number,
  currency: number,
  expectedCents: number | null,
  expectedCurrency: number,
  project: number,
  profile: number,
  testRun: 0 | 1,
];

/** Takes about 5 ms to write, so that nothing else of the host waits. */
const sliceRows = 5_000;

/** A slug of a registry has at most 100 characters; a file on the disk may say anything. */
const longestText = 200;

/** What became of a record since it was written down. */
export interface UsageChanges {
  readonly changed: readonly InvocationRecord[];
  /** The IDs of those that are no longer in it. */
  readonly gone: readonly string[];
}

/** Compares a record with what of it was written down before, by ID. */
export function usageChanges(
  before: ReadonlyMap<string, InvocationRecord>,
  records: readonly InvocationRecord[],
): UsageChanges {
  const changed = records.filter((record) => {
    const known = before.get(record.id);
    return known === undefined || (known !== record && !isSameUse(known, record));
  });
  // Most often nothing is gone, which needs no list of all.
  const added = changed.filter(({ id }) => !before.has(id)).length;
  if (before.size + added === records.length) return { changed, gone: [] };
  const left = new Set(records.map(({ id }) => id));
  return { changed, gone: [...before.keys()].filter((id) => !left.has(id)) };
}

/** Of a record that ended nothing changes but its pin. */
function isSameUse(one: InvocationRecord, other: InvocationRecord): boolean {
  return one.status === other.status && one.durationMs === other.durationMs;
}

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
    const { projectSlug = "" } = record;
    return [
      id,
      startedAt,
      durationMs,
      amountCents ?? null,
      place(localDay(startedAt)),
      place(registry),
      place(skillSlug),
      place(status),
      place(record.ran),
      place(record.caller.kind),
      place(currencyOf(record.currency ?? "")),
      record.expectedCents ?? null,
      place(currencyOf(record.expectedCurrency ?? "")),
      place(projectSlug),
      place(record.profile),
      record.kind === "testRun" ? 1 : 0,
    ];
  });
  return { texts, rows };
}

/** Reads what `usageSlices` wrote. */
export function recordsOfSlice({ texts, rows }: UsageSlice): readonly ChartedRecord[] {
  const text = (place: number) => texts[place] ?? "";
  return rows.map((row) => {
    const [id, startedAt, durationMs, cents, day, registry, skill, status, ran, caller] = row;
    const [, , , , , , , , , , currency, expectedCents, expectedCurrency, project, profile, test] =
      row;
    return {
      id,
      startedAt,
      durationMs,
      day: text(day),
      registry: text(registry),
      skillSlug: text(skill),
      status: text(status) as InvocationStatus,
      ran: text(ran) as Ran,
      caller: { kind: text(caller) as CallerKind },
      currency: text(currency),
      project: text(project),
      profile: text(profile),
      ...(cents !== null && { amountCents: cents }),
      ...(expectedCents !== null && {
        expectedCents,
        expectedCurrency: text(expectedCurrency),
      }),
      ...(test === 1 && { kind: "testRun" as const }),
    };
  });
}
