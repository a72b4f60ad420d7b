import { localDay } from "../../text/dates";
import { currencyOf } from "../../text/money";
import { type InvocationStatus, invocationStatuses } from "../invocation";
import {
  builtInRegistryName,
  type CallerKind,
  callerKindOf,
  callerKinds,
  type InvocationRecord,
  kindOf,
} from "./invocationRecord";

/** What of a record is added up. */
export interface UsageRecord
  extends Pick<
    InvocationRecord,
    | "startedAt"
    | "registry"
    | "skillSlug"
    | "kind"
    | "status"
    | "durationMs"
    | "amountCents"
    | "currency"
    | "caller"
  > {
  /** The local day it started on, where another machine than this one knows which that is. */
  readonly day?: string;
  /** What it may have cost, where its answer named no amount (`withEstimates`). */
  readonly estimate?: { readonly cents: number; readonly currency: string };
}

/** What invocations can be added up by. */
export const usageGroupings = ["skill", "day", "caller", "status"] as const;

export type UsageGrouping = (typeof usageGroupings)[number];

/** An amount in hundredths of a currency, as `currencyOf` spells it; empty where the registry gave none. */
export interface UsageCost {
  readonly currency: string;
  /** Whether it is of the built-in registry, where nobody pays: kept apart from money. */
  readonly isSample: boolean;
  readonly cents: number;
}

/** What invocations that have something in common came to. */
export interface Usage {
  /** What they have in common: a slug, a local day (`YYYY-MM-DD`), a caller's kind or a status. Empty for all. */
  readonly name: string;
  readonly invocations: number;
  /** Those that ended well, and those that are over and did not. */
  readonly succeeded: number;
  readonly failed: number;
  /** Running, or with an outcome that nobody knows. */
  readonly undecided: number;
  /** What answers named, by currency, the largest amount first. Equal to the sums of an export. */
  readonly costs: readonly UsageCost[];
  /** Invocations that ran, and whose answer named no amount: what they cost is not in `costs`. */
  readonly withoutAmount: number;
  /** What these may have cost, as `withEstimates` says; likewise by currency. */
  readonly estimates: readonly UsageCost[];
  /** Those of them for which there is no estimate either. */
  readonly withoutEstimate: number;
  /** In milliseconds, of those that ran; undefined where none did. By the nearest rank. */
  readonly medianMs: number | undefined;
  readonly p95Ms: number | undefined;
}

/**
 * Adds invocations up: days in their order, skills with the most invocations first, callers and statuses in the order
 * of their lists. What a later version names differently stands last.
 */
export function usageBy(
  records: readonly UsageRecord[],
  grouping: UsageGrouping,
): readonly Usage[] {
  const rows = [...groupedBy(records, grouping)].map(([name, own]) => usageOf(own, name));
  return rows.sort(orders[grouping]);
}

/** Groups invocations by what `usageBy` adds them up by, in the order in which each group is met first. */
function groupedBy<Item extends UsageRecord>(
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

/**
 * Estimates what invocations cost whose answers named no amount: the last amount that an answer named for the skill at
 * that registry, or where none did before, the first one after. The others stay as they are; so does the order.
 */
export function withEstimates<Item extends UsageRecord>(records: readonly Item[]): readonly Item[] {
  const order = records.map((_, index) => index);
  order.sort((left, right) => (records[left]?.startedAt ?? 0) - (records[right]?.startedAt ?? 0));
  const estimated = [...records];
  for (const indexes of [order, order.toReversed()]) {
    const named = new Map<string, NonNullable<UsageRecord["estimate"]>>();
    for (const index of indexes) {
      const record = estimated[index];
      if (record === undefined || kindOf(record) === "testRun" || !hasRun(record)) continue;
      const { amountCents: cents, currency = "" } = record;
      const skill = `${record.registry}\n${record.skillSlug}`;
      if (cents !== undefined) named.set(skill, { cents, currency });
      else if (record.estimate === undefined) {
        const estimate = named.get(skill);
        if (estimate !== undefined) estimated[index] = { ...record, estimate };
      }
    }
  }
  return estimated;
}

/** Adds all invocations up. */
export function usageOf(records: readonly UsageRecord[], name = ""): Usage {
  const ran = records.filter(hasRun);
  const unnamed = ran.filter(isWithoutAmount);
  const durations = ran.map(({ durationMs }) => durationMs).sort((left, right) => left - right);
  const succeeded = records.filter(({ status }) => status === "success").length;
  const undecided = records.filter(isUndecided).length;
  return {
    name,
    invocations: records.length,
    succeeded,
    failed: records.length - succeeded - undecided,
    undecided,
    costs: costsOf(records.map((record) => ({ ...amountOf(record), registry: record.registry }))),
    withoutAmount: unnamed.length,
    estimates: costsOf(
      unnamed.flatMap(({ estimate, registry }) => (estimate ? [{ ...estimate, registry }] : [])),
    ),
    withoutEstimate: unnamed.filter(({ estimate }) => estimate === undefined).length,
    medianMs: ranked(durations, 0.5),
    p95Ms: ranked(durations, 0.95),
  };
}

const nameOf: Readonly<Record<UsageGrouping, (record: UsageRecord) => string>> = {
  skill: ({ skillSlug }) => skillSlug,
  day: ({ startedAt, day }) => day ?? localDay(startedAt),
  caller: (record) => callerKindOf(record) ?? "other",
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
  status: inList(invocationStatuses satisfies readonly InvocationStatus[]),
};

function hasRun({ status }: UsageRecord): boolean {
  return status === "success" || status === "error";
}

function isUndecided({ status }: UsageRecord): boolean {
  return status === "running" || status === "outcome unknown";
}

function isWithoutAmount(record: UsageRecord): boolean {
  return record.amountCents === undefined && kindOf(record) === "invocation";
}

function amountOf({ amountCents: cents = 0, currency = "" }: UsageRecord) {
  return { cents, currency };
}

function costsOf(
  amounts: readonly { cents: number; currency: string; registry: string }[],
): readonly UsageCost[] {
  const sums = new Map<string, UsageCost>();
  for (const { cents, currency: word, registry } of amounts) {
    if (cents === 0) continue;
    const currency = currencyOf(word);
    const isSample = registry === builtInRegistryName;
    const name = costName({ currency, isSample });
    const before = sums.get(name)?.cents ?? 0;
    sums.set(name, { currency, isSample, cents: before + cents });
  }
  return [...sums.values()].sort((left, right) => right.cents - left.cents);
}

/** Names a currency so that amounts of the built-in registry have one of their own. */
function costName({ currency, isSample }: Omit<UsageCost, "cents">): string {
  return `${isSample ? "sample" : "paid"} ${currency}`;
}

/** The value at a share of a sorted list, by the nearest rank. */
function ranked(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
}
