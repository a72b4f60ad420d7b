import { sampleText } from "../../skill/price";
import { localDay } from "../../text/dates";
import type { Language } from "../../text/language";
import { currencyOf, moneyText } from "../../text/money";
import { type EndFacts, invocationStatuses, outcomeOf } from "../outcome";
import {
  builtInRegistryName,
  type CallerKind,
  callerKinds,
  type InvocationRecord,
  kindOf,
} from "./invocationRecord";

/** What of a record is added up. */
export interface UsageRecord
  extends EndFacts,
    Pick<
      InvocationRecord,
      "startedAt" | "registry" | "skillSlug" | "kind" | "amountCents" | "currency"
    > {
  /** Left out where it was made on another machine. */
  readonly caller?: InvocationRecord["caller"];
  /** Left out where a registry does not say. */
  readonly durationMs?: number;
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
  /** Those that never left this machine. */
  readonly notSent: number;
  /** What answers named, by currency, the largest amount first. Equal to the sums of an export. */
  readonly costs: readonly UsageCost[];
  /** Invocations that ran, and whose answer named no amount: what they cost is not in `costs`. */
  readonly withoutAmount: number;
  /** What these may have cost, as `withEstimates` says; likewise by currency. */
  readonly estimates: readonly UsageCost[];
  /** Those of them for which there is no estimate either. */
  readonly withoutEstimate: number;
  /** In milliseconds, of those that ran; undefined where none did, or nobody says. By the nearest rank. */
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
  const rows = [...groupedUsage(records, grouping)].map(([name, own]) => usageOf(own, name));
  return rows.sort(orders[grouping]);
}

/** Groups invocations by what `usageBy` adds them up by, in the order in which each group is met first. */
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

/** Writes sums with their currencies, the largest first: `$0.15 + €2.00`. Empty for none. */
export function costsText(costs: readonly UsageCost[], language: Language): string {
  return costs
    .map(({ cents, currency, isSample }) =>
      sampleText(moneyText(cents, currency, language), isSample, language),
    )
    .join(" + ");
}

/** Adds all invocations up. */
export function usageOf(records: readonly UsageRecord[], name = ""): Usage {
  const durations: number[] = [];
  const costs = new CostSums();
  const estimates = new CostSums();
  const counted = { success: 0, failure: 0, undecided: 0, notSent: 0 };
  const counts = { withoutAmount: 0, withoutEstimate: 0 };
  for (const record of records) {
    const { durationMs, registry, amountCents = 0, currency, estimate } = record;
    counted[outcomeOf(record).counts] += 1;
    costs.add(registry, amountCents, currency);
    if (!hasRun(record)) continue;
    if (durationMs !== undefined) durations.push(durationMs);
    if (!isWithoutAmount(record)) continue;
    counts.withoutAmount += 1;
    if (estimate === undefined) counts.withoutEstimate += 1;
    else estimates.add(registry, estimate.cents, estimate.currency);
  }
  durations.sort((left, right) => left - right);
  return {
    name,
    invocations: records.length,
    succeeded: counted.success,
    failed: counted.failure,
    undecided: counted.undecided,
    notSent: counted.notSent,
    ...counts,
    costs: costs.all,
    estimates: estimates.all,
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

function isWithoutAmount(record: UsageRecord): boolean {
  return record.amountCents === undefined && kindOf(record) === "invocation";
}

/** Sums of amounts by currency, where tens of thousands have a handful of spellings. */
class CostSums {
  /** Of the built-in registry, and of all others: by the currency as it was spelled. */
  private readonly sample = new Map<string, number>();
  private readonly paid = new Map<string, number>();

  add(registry: string, cents: number, currency = ""): void {
    if (cents === 0) return;
    const sums = registry === builtInRegistryName ? this.sample : this.paid;
    sums.set(currency, (sums.get(currency) ?? 0) + cents);
  }

  /** The largest amount first. */
  get all(): readonly UsageCost[] {
    return [...costsIn(this.sample, true), ...costsIn(this.paid, false)].sort(
      (left, right) => right.cents - left.cents,
    );
  }
}

function costsIn(sums: ReadonlyMap<string, number>, isSample: boolean): readonly UsageCost[] {
  const byCode = new Map<string, number>();
  for (const [word, cents] of sums) {
    const currency = currencyOf(word);
    byCode.set(currency, (byCode.get(currency) ?? 0) + cents);
  }
  return [...byCode].map(([currency, cents]) => ({ currency, isSample, cents }));
}

/** The value at a share of a sorted list, by the nearest rank. */
function ranked(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
}
