import { localDay } from "../../text/dates";
import { type CostFacts, type CostSum, CostSums, costOf } from "../cost";
import { type EndFacts, invocationStatuses, outcomeOf } from "../outcome";
import { type CallerKind, callerKinds, type InvocationRecord } from "./invocationRecord";

/** The facts of a record that are added up. */
export interface UsageRecord extends CostFacts, Pick<InvocationRecord, "startedAt" | "skillSlug"> {
  /** Left out where it was made on another machine. */
  readonly caller?: InvocationRecord["caller"];
  /** Left out where a registry does not say. */
  readonly durationMs?: number;
  /** The local day it started on, where another machine than this one knows which that is. */
  readonly day?: string;
}

/** What invocations can be added up by. */
export const usageGroupings = ["skill", "day", "caller", "status"] as const;

export type UsageGrouping = (typeof usageGroupings)[number];

/** The sums of a group of invocations. */
export interface Usage {
  /** What they have in common: a slug, a local day (`YYYY-MM-DD`), a caller's kind or a status. Empty for all. */
  readonly name: string;
  readonly invocations: number;
  /** Those that ended well, and those that are over and did not. */
  readonly succeeded: number;
  readonly failed: number;
  /** Running, or with an outcome that nobody knows. */
  readonly undecided: number;
  /** Those that never left this machine. */
  readonly notSent: number;
  /** What answers named, by currency, the largest amount first. Equal to the sums of an export. */
  readonly costs: readonly CostSum[];
  /** Invocations that may have been billed without a named amount; their cost is not in `costs`. */
  readonly withoutAmount: number;
  /** The expected cost of these invocations, likewise by currency. */
  readonly expected: readonly CostSum[];
  /** How many of these had no expected cost either. */
  readonly withoutPrice: number;
  /**
   * The median duration in milliseconds of those that ran, by the nearest rank; undefined where none did or none is
   * known.
   */
  readonly medianMs: number | undefined;
  readonly p95Ms: number | undefined;
}

/**
 * Adds invocations up: days in order, skills with the most invocations first, callers and statuses in the order of
 * their lists. Unknown values of a later version come last.
 */
export function usageBy(
  records: readonly UsageRecord[],
  grouping: UsageGrouping,
): readonly Usage[] {
  const rows = [...groupedUsage(records, grouping)].map(([name, own]) => usageOf(own, name));
  return rows.sort(orders[grouping]);
}

/** Groups invocations by a property, in the order in which the groups first appear. */
export function groupedUsage<Item extends UsageRecord>(
  records: readonly Item[],
  grouping: UsageGrouping,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const record of records) {
    const name = nameOf[grouping](record);
    const known = groups.get(name);
    if (known === undefined) groups.set(name, [record]);
    else known.push(record);
  }
  return groups;
}

/** Adds all invocations up. */
export function usageOf(records: readonly UsageRecord[], name = ""): Usage {
  const durations: number[] = [];
  const costs = new CostSums();
  const expected = new CostSums();
  const counted = { success: 0, failure: 0, undecided: 0, notSent: 0 };
  const silent = { expected: 0, unknown: 0 };
  for (const record of records) {
    const { durationMs, registry } = record;
    const { counts, hasRun: ran } = outcomeOf(record);
    counted[counts] += 1;
    if (ran && durationMs !== undefined) durations.push(durationMs);
    const cost = costOf(record);
    if (cost.kind === "known") costs.add(registry, cost);
    if (cost.kind === "expected") expected.add(registry, cost);
    if (cost.kind === "expected" || cost.kind === "unknown") silent[cost.kind] += 1;
  }
  durations.sort((left, right) => left - right);
  return {
    name,
    invocations: records.length,
    succeeded: counted.success,
    failed: counted.failure,
    undecided: counted.undecided,
    notSent: counted.notSent,
    costs: costs.all,
    withoutAmount: silent.expected + silent.unknown,
    expected: expected.all,
    withoutPrice: silent.unknown,
    medianMs: ranked(durations, 0.5),
    p95Ms: ranked(durations, 0.95),
  };
}

const nameOf: Readonly<Record<UsageGrouping, (record: UsageRecord) => string>> = {
  skill: ({ skillSlug }) => skillSlug,
  day: ({ startedAt, day }) => day ?? localDay(startedAt),
  caller: ({ caller }) => caller?.kind ?? "other",
  status: ({ status }) => status,
};

type Order = (left: Usage, right: Usage) => number;

const byName: Order = (left, right) => (left.name < right.name ? -1 : 1);

const inList =
  (list: readonly string[]): Order =>
  (left, right) =>
    rankIn(list, left.name) - rankIn(list, right.name);

function rankIn(list: readonly string[], name: string): number {
  const rank = list.indexOf(name);
  return rank < 0 ? list.length : rank;
}

const orders: Readonly<Record<UsageGrouping, Order>> = {
  skill: (left, right) => right.invocations - left.invocations || byName(left, right),
  day: byName,
  caller: inList(callerKinds satisfies readonly CallerKind[]),
  status: inList(invocationStatuses),
};

/** Returns whether an invocation ran, so that its duration counts. */
export function hasRun(record: EndFacts): boolean {
  return outcomeOf(record).hasRun;
}

/** The value at a share of a sorted list, by the nearest rank. */
function ranked(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
}
