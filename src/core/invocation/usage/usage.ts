import { localDay } from "../../text/dates";
import { currencyOf } from "../../text/money";
import { oneLine } from "../../text/plainText";
import { type CostFacts, type CostSum, CostSums, costOf } from "../cost";
import { invocationStatuses, isOver, outcomeOf } from "../outcome";
import {
  type Caller,
  type CallerKind,
  callerKinds,
  type InvocationRecord,
} from "../record/invocationRecord";

/** Invocations with the same facts, added up. Amounts are the sums of all of them. */
export interface UsageGroup extends CostFacts {
  readonly count: number;
  /** The local day on which they started, as `YYYY-MM-DD`. */
  readonly day: string;
  readonly skillSlug: string;
  /** The caller; left out if another machine made them. */
  readonly caller?: Pick<Caller, "kind">;
  /** The slug of their project; empty if unknown. */
  readonly project: string;
  /** The editor with its profile that made them, or the command line; empty if unknown. */
  readonly profile: string;
  /** The duration of each one that ran, in milliseconds; none if a registry names no durations. */
  readonly durations: readonly number[];
  /** The names of their records, in the same order; empty names if this machine has no record. */
  readonly ids: readonly string[];
  /** When a running one must have ended, in milliseconds since 1970. */
  readonly endsBefore?: number;
}

/** Creates a group of one invocation. */
export function groupOf(record: InvocationRecord): UsageGroup {
  const { id, startedAt, durationMs, endsBefore } = record;
  const sums = { count: 1, day: localDay(startedAt), durations: [durationMs], ids: [id] };
  return { ...usageGroup(record, sums), ...(!isOver(record) && { endsBefore }) };
}

/** The facts that the invocations of a group have in common, and their amounts. */
export type GroupFacts = CostFacts &
  Pick<InvocationRecord, "skillSlug" | "projectSlug" | "profile"> & {
    readonly caller: Pick<Caller, "kind">;
  };

/**
 * The maximum length of a group's texts. A registry's slug has at most 100 characters, but a record on disk may contain
 * any text.
 */
const longestText = 200;

/** Creates a group. `sums` contains the members that differ between its invocations. */
export function usageGroup(
  facts: GroupFacts,
  sums: Pick<UsageGroup, "count" | "day" | "durations" | "ids">,
): UsageGroup {
  const { kind, amountCents, currency = "", expectedCents, expectedCurrency = "" } = facts;
  const { status, ran, caller } = facts;
  const text = (value: string) => oneLine(value, longestText);
  return {
    ...sums,
    ...(outcomeOf(facts).hasRun ? {} : { durations: [], ids: [] }),
    ...{ status, ran, caller: { kind: caller.kind } },
    registry: text(facts.registry),
    skillSlug: text(facts.skillSlug),
    project: text(facts.projectSlug ?? ""),
    profile: text(facts.profile),
    currency: currencyOf(currency),
    ...(kind !== undefined && { kind }),
    ...(amountCents !== undefined && { amountCents }),
    ...(expectedCents !== undefined && {
      expectedCents,
      expectedCurrency: currencyOf(expectedCurrency),
    }),
  };
}

/** Counts the invocations of all groups. */
export function countIn(groups: readonly UsageGroup[]): number {
  return groups.reduce((sum, { count }) => sum + count, 0);
}

/** The properties by which invocations can be added up. */
export const usageGroupings = ["skill", "day", "caller", "status"] as const;

export type UsageGrouping = (typeof usageGroupings)[number];

/** How many invocations of a group ended in which way. */
export interface UsageCounts {
  /** The shared property: a slug, a local day (`YYYY-MM-DD`), a caller's kind or a status. Empty for all. */
  readonly name: string;
  readonly invocations: number;
  /** Those that succeeded, and those that ended without success. */
  readonly succeeded: number;
  readonly failed: number;
  /** Running, or with an unknown outcome. */
  readonly undecided: number;
  /** Those that never left this machine. */
  readonly notSent: number;
}

/** The sums of a group of invocations. */
export interface Usage extends UsageCounts {
  /**
   * The amounts that responses named, by currency, the largest first. An export of the same records adds up to the same
   * sums.
   */
  readonly costs: readonly CostSum[];
  /** Invocations that may have been billed without a named amount; their cost is not in `costs`. */
  readonly withoutAmount: number;
  /** The expected cost of these invocations, by currency as well. */
  readonly expected: readonly CostSum[];
  /** The number of these invocations without an expected cost. */
  readonly withoutPrice: number;
  /**
   * The median duration in milliseconds of those that ran, by the nearest rank; undefined if none ran or no duration is
   * known.
   */
  readonly medianMs: number | undefined;
  readonly p95Ms: number | undefined;
}

/**
 * Adds invocations up: days in order, skills with the most invocations first, callers and statuses in the order of
 * their lists. Unknown values of a later version come last.
 */
export function usageBy(groups: readonly UsageGroup[], grouping: UsageGrouping): readonly Usage[] {
  const rows = [...groupedUsage(groups, grouping)].map(([name, own]) => usageOf(own, name));
  return rows.sort(orders[grouping]);
}

/** Counts invocations, in the order of `usageBy`. */
export function countsBy(
  groups: readonly UsageGroup[],
  grouping: UsageGrouping,
): readonly UsageCounts[] {
  const rows = [...groupedUsage(groups, grouping)].map(([name, own]) => countsOf(own, name));
  return rows.sort(orders[grouping]);
}

/** Joins groups by a property, in the order in which its values first appear. */
export function groupedUsage(
  groups: readonly UsageGroup[],
  grouping: UsageGrouping,
): ReadonlyMap<string, readonly UsageGroup[]> {
  const joined = new Map<string, UsageGroup[]>();
  for (const group of groups) {
    const name = nameOf[grouping](group);
    const same = joined.get(name);
    if (same === undefined) joined.set(name, [group]);
    else same.push(group);
  }
  return joined;
}

/** Adds up what invocations cost, and the expected cost of those whose response named no amount. */
export function costsOf(groups: readonly UsageGroup[]): Pick<Usage, "costs" | "expected"> {
  const costs = new CostSums();
  const expected = new CostSums();
  for (const group of groups) {
    const cost = costOf(group);
    if (cost.kind === "known") costs.add(group.registry, cost);
    if (cost.kind === "expected") expected.add(group.registry, cost);
  }
  return { costs: costs.all, expected: expected.all };
}

function countsOf(groups: readonly UsageGroup[], name: string): UsageCounts {
  const counts = { success: 0, failure: 0, undecided: 0, notSent: 0 };
  for (const group of groups) counts[outcomeOf(group).counts] += group.count;
  const { success: succeeded, failure: failed, undecided, notSent } = counts;
  return { name, invocations: countIn(groups), succeeded, failed, undecided, notSent };
}

/** Adds all invocations up. */
export function usageOf(groups: readonly UsageGroup[], name = ""): Usage {
  const unnamed = { expected: 0, unknown: 0 };
  for (const group of groups) {
    const { kind } = costOf(group);
    if (kind === "expected" || kind === "unknown") unnamed[kind] += group.count;
  }
  const durations = groups.flatMap((group) => group.durations).sort((left, right) => left - right);
  return {
    ...countsOf(groups, name),
    ...costsOf(groups),
    withoutAmount: unnamed.expected + unnamed.unknown,
    withoutPrice: unnamed.unknown,
    medianMs: percentile(durations, 0.5),
    p95Ms: percentile(durations, 0.95),
  };
}

const nameOf: Readonly<Record<UsageGrouping, (group: UsageGroup) => string>> = {
  skill: ({ skillSlug }) => skillSlug,
  day: ({ day }) => day,
  caller: ({ caller }) => caller?.kind ?? "other",
  status: ({ status }) => status,
};

type Order = (left: UsageCounts, right: UsageCounts) => number;

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

/** Returns the value at a share of a sorted list, by the nearest rank. */
export function percentile(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
}
