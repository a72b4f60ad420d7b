import { localDay } from "../../text/dates";
import { currencyOf } from "../../text/money";
import { type InvocationStatus, invocationStatuses } from "../invocation";
import {
  type CallerKind,
  callerKindOf,
  callerKinds,
  type InvocationRecord,
  kindOf,
} from "./invocationRecord";

/** What invocations can be added up by. */
export const usageGroupings = ["skill", "day", "caller", "status"] as const;

export type UsageGrouping = (typeof usageGroupings)[number];

/** An amount in hundredths of a currency, as `currencyOf` spells it; empty where the registry gave none. */
interface UsageCost {
  readonly currency: string;
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
  /** In milliseconds, of those that ran; undefined where none did. By the nearest rank. */
  readonly medianMs: number | undefined;
  readonly p95Ms: number | undefined;
}

/**
 * Adds invocations up: days in their order, skills with the most invocations first, callers and statuses in the order
 * of their lists. What a later version names differently stands last.
 */
export function usageBy(
  records: readonly InvocationRecord[],
  grouping: UsageGrouping,
): readonly Usage[] {
  const groups = new Map<string, InvocationRecord[]>();
  for (const record of records) {
    const name = nameOf[grouping](record);
    const known = groups.get(name);
    if (known === undefined) groups.set(name, [record]);
    else known.push(record);
  }
  const rows = [...groups].map(([name, own]) => usageOf(own, name));
  return rows.sort(orders[grouping]);
}

/** Adds all invocations up. */
export function usageOf(records: readonly InvocationRecord[], name = ""): Usage {
  const ran = records.filter(hasRun);
  const durations = ran.map(({ durationMs }) => durationMs).sort((left, right) => left - right);
  const succeeded = records.filter(({ status }) => status === "success").length;
  const undecided = records.filter(isUndecided).length;
  return {
    name,
    invocations: records.length,
    succeeded,
    failed: records.length - succeeded - undecided,
    undecided,
    costs: costsOf(records),
    withoutAmount: ran.filter(
      (record) => record.amountCents === undefined && kindOf(record) === "invocation",
    ).length,
    medianMs: ranked(durations, 0.5),
    p95Ms: ranked(durations, 0.95),
  };
}

const nameOf: Readonly<Record<UsageGrouping, (record: InvocationRecord) => string>> = {
  skill: ({ skillSlug }) => skillSlug,
  day: ({ startedAt }) => localDay(startedAt),
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

function hasRun({ status }: InvocationRecord): boolean {
  return status === "success" || status === "error";
}

function isUndecided({ status }: InvocationRecord): boolean {
  return status === "running" || status === "outcome unknown";
}

function costsOf(records: readonly InvocationRecord[]): readonly UsageCost[] {
  const sums = new Map<string, number>();
  for (const { amountCents = 0, currency = "" } of records) {
    if (amountCents === 0) continue;
    const code = currencyOf(currency);
    sums.set(code, (sums.get(code) ?? 0) + amountCents);
  }
  return [...sums]
    .map(([currency, cents]) => ({ currency, cents }))
    .sort((left, right) => right.cents - left.cents);
}

/** The value at a share of a sorted list, by the nearest rank. */
function ranked(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
}
