import { type InvocationPrice, sampleText } from "../skill/price";
import { localDay } from "../text/dates";
import type { Language } from "../text/language";
import { currencyOf, moneyText } from "../text/money";
import { type Amount, CostSums, costOf, sumsText, totalCents } from "./cost";
import { outcomeOf } from "./outcome";
import { invocationCountText } from "./record/invocationLabels";
import { builtInRegistryName, type InvocationRecord } from "./record/invocationRecord";

/** The cost of one skill's invocations on one day, in one currency. `day` is `YYYY-MM-DD`, local time. */
export interface DayCost {
  readonly day: string;
  readonly registry: string;
  readonly skillSlug: string;
  /** As `currencyOf` spells it; empty where the registry returned none. */
  readonly currency: string;
  readonly cents: number;
  readonly calls: number;
  /** The cost of the most expensive of these invocations. */
  readonly dearestCents: number;
  /**
   * The record ID of an invocation with an unknown cost, or `expected` for several; `cents` is then the expected cost.
   */
  readonly expectedFor?: string;
  /** Whether it is the cost of agents, which have their own limits. Their free invocations count too. */
  readonly isAgents?: true;
}

/** The cost of recent invocations from all windows of this machine, oldest first. */
export type Spending = readonly DayCost[];

/** Returns how many milliseconds of a local day are left at a time, also on days with 23 or 25 hours. */
export function restOfDay(time: number): number {
  const date = new Date(time);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime() - time;
}

/** Adds the cost of an invocation. */
export function addCost(
  spending: Spending,
  { currency: word, ...cost }: Omit<DayCost, "calls" | "dearestCents" | "expectedFor">,
): Spending {
  const currency = currencyOf(word);
  const isSame = (other: DayCost) =>
    other.day === cost.day &&
    other.registry === cost.registry &&
    other.skillSlug === cost.skillSlug &&
    other.currency === currency &&
    other.isAgents === cost.isAgents &&
    !isExpected(other);
  const before = spending.find(isSame);
  const sum = {
    ...cost,
    currency,
    cents: (before?.cents ?? 0) + cost.cents,
    calls: (before?.calls ?? 0) + 1,
    dearestCents: Math.max(before?.dearestCents ?? 0, cost.cents),
  };
  return [...spending.filter((other) => !isSame(other)), sum];
}

/**
 * Records the expected cost of the invocation with the record `id` on `day`: the listed price, or its earlier billed
 * price. Records nothing where neither is known, and removes expected costs of other days.
 */
export function expectCost(
  spending: Spending,
  call: PricedInvocation,
  id: string,
  day: string,
): Spending {
  const cost = expectedCost(spending, call) ?? free;
  // Free invocations of agents count too.
  if (cost.cents <= 0 && call.isAgents !== true) return spending;
  const expected = {
    day,
    registry: call.registry,
    skillSlug: call.skillSlug,
    currency: currencyOf(cost.currency),
    cents: cost.cents,
    calls: 1,
    dearestCents: cost.cents,
    expectedFor: id,
    ...(call.isAgents && { isAgents: true as const }),
  };
  const others = spending.filter((other) => !isExpected(other) || other.day === day);
  return [...others, expected];
}

/**
 * Replaces the expected cost of an invocation by its cost (`costOf`). The expected cost of an unknown outcome stays,
 * since it may have been billed.
 */
export function settleCost(spending: Spending, record: InvocationRecord): Spending {
  const { id, registry, skillSlug } = record;
  const { counts, mayBeBilled } = outcomeOf(record);
  if (counts === "undecided") return spending;
  const reserved = spending.find(({ expectedFor }) => expectedFor === id);
  const others = spending.filter((cost) => cost !== reserved);
  const cost = costOf(record);
  const { cents, currency } = "cents" in cost ? cost : free;
  // Free invocations of agents count too.
  if (cents <= 0 && !(reserved?.isAgents && mayBeBilled)) return others;
  const by = reserved?.isAgents && { isAgents: true as const };
  const day = localDay(record.startedAt);
  return addCost(others, { day, registry, skillSlug, currency, cents: Math.max(0, cents), ...by });
}

/**
 * The spending of agents on a day, and their number of invocations of one skill, including running and unknown ones.
 */
export interface AgentSpending {
  /** The expected cost of the next invocation of the skill. */
  readonly nextCents: number;
  /** In hundredths of all currencies together (`totalCents`). */
  readonly cents: number;
  readonly skillCents: number;
  readonly skillCalls: number;
}

/** Adds up the spending of agents on a day (`YYYY-MM-DD`, local time) at all registries, and on one skill. */
export function agentSpending(
  spending: Spending,
  day: string,
  call: PricedInvocation,
): AgentSpending {
  const ofAgents = spending.filter((cost) => cost.day === day && cost.isAgents === true);
  const ofSkill = ofAgents.filter((cost) => isOfSkill(cost, call));
  return {
    nextCents: expectedCost(spending, call)?.cents ?? 0,
    cents: totalCents(ofAgents),
    skillCents: totalCents(ofSkill),
    skillCalls: ofSkill.reduce((sum, { calls }) => sum + calls, 0),
  };
}

function isOfSkill(cost: DayCost, { registry, skillSlug }: PricedInvocation): boolean {
  return cost.registry === registry && cost.skillSlug === skillSlug;
}

function isExpected({ expectedFor }: DayCost): boolean {
  return expectedFor !== undefined;
}

/** An invocation before it is sent, with the registry's listed price. */
export interface PricedInvocation {
  readonly registry: string;
  readonly skillSlug: string;
  readonly price: InvocationPrice;
  /** Whether an agent is the caller. */
  readonly isAgents?: boolean;
}

/**
 * Explains why an invocation needs a question first: today's cost at this registry would exceed the limit, in
 * hundredths of all currencies together. Undefined where it would not, and where `ceilingCents` is 0, which means no
 * limit. Billed costs count whatever is listed: a skill listed as free costs what it was billed before. Invocations
 * that are running, have an unknown outcome or no named amount count at the expected price. An unknown price asks once
 * the limit is reached.
 */
export function dailyLimitQuestion(
  spending: Spending,
  call: PricedInvocation,
  ceilingCents: number,
  day: string,
  language: Language,
): string | undefined {
  const { t } = language;
  const { registry, skillSlug: skill } = call;
  const today = spending.filter((cost) => cost.day === day && cost.registry === registry);
  const spentCents = totalCents(today);
  const next = expectedCost(spending, call);
  const isOver =
    next === undefined
      ? spentCents >= ceilingCents
      : next.cents > 0 && spentCents + next.cents > ceilingCents;
  if (ceilingCents <= 0 || !isOver) return undefined;
  const currencies = new Set([...today, ...(next === undefined ? [] : [next])].map(currencyIn));
  const [only = "", ...others] = currencies;
  const spent =
    moneyIn(today, registry, language) || money({ cents: 0, currency: only }, call, language);
  const ceiling = moneyText(ceilingCents, others.length === 0 ? only : "", language);
  const sentences = [
    next === undefined
      ? t(
          "Your spending limit of {ceiling} a day is reached: {spent} spent today. The price of {skill} is not known.",
          { ceiling, spent, skill },
        )
      : t(
          "This invocation of {skill} costs {price}. With {spent} spent today, it exceeds your limit of {ceiling} a day.",
          { ceiling, spent, skill, price: money(next, call, language) },
        ),
  ];
  if (next !== undefined && call.price.kind === "free") {
    sentences.push(t("It is listed as free, but was billed before."));
  }
  const expected = moneyIn(today.filter(isExpected), registry, language);
  if (expected !== "") {
    sentences.push(
      t("This includes {expected} for invocations that are running or whose outcome is unknown.", {
        expected,
      }),
    );
  }
  if (others.length > 0) {
    sentences.push(t("Amounts in different currencies are added up as they are."));
  }
  return sentences.join(" ");
}

function currencyIn({ currency }: Amount): string {
  return currencyOf(currency);
}

function money({ cents, currency }: Amount, { registry }: PricedInvocation, language: Language) {
  const isSample = registry === builtInRegistryName;
  return sampleText(moneyText(cents, currency, language), isSample, language);
}

function moneyIn(costs: readonly Amount[], registry: string, language: Language): string {
  const sums = new CostSums();
  for (const cost of costs) sums.add(registry, cost);
  return sumsText(sums.all, language);
}

const free: Amount = { cents: 0, currency: "" };

/**
 * Returns the expected cost of an invocation: the listed price, or the highest billed amount of the skill's last billed
 * day, whichever is higher. Undefined where neither is known.
 */
export function expectedCost(spending: Spending, call: PricedInvocation): Amount | undefined {
  const costs = spending.filter((cost) => isOfSkill(cost, call) && !isExpected(cost));
  const lastDay = costs.reduce((latest, { day }) => (day > latest ? day : latest), "");
  const billed = costs
    .filter(({ day, dearestCents }) => day === lastDay && dearestCents > 0)
    .map(({ dearestCents: cents, currency }) => ({ cents, currency }));
  const { price } = call;
  const listed = price.kind === "amount" ? [price] : price.kind === "free" ? [free] : [];
  const [first, ...others] = [...listed, ...billed];
  const dearest = others.reduce(
    (most, one) => (one.cents > (most?.cents ?? 0) ? one : most),
    first,
  );
  return dearest && { cents: dearest.cents, currency: dearest.currency };
}

/** Describes the billed amounts of a day, per registry and currency: "$0.06 for 2 invocations". */
export function billedTexts(
  spending: Spending,
  day: string,
  language: Language,
): readonly { readonly registry: string; readonly cost: string }[] {
  const sums = new Map<string, Pick<DayCost, "registry" | "currency" | "cents" | "calls">>();
  const billed = spending.filter((cost) => cost.day === day && cost.cents > 0 && !isExpected(cost));
  for (const { registry, currency, cents, calls } of billed) {
    const name = JSON.stringify([registry, currency]);
    const sum = sums.get(name) ?? { cents: 0, calls: 0 };
    sums.set(name, { registry, currency, cents: sum.cents + cents, calls: sum.calls + calls });
  }
  return [...sums.values()].map(({ registry, calls, cents, currency }) => {
    const cost = moneyText(cents, currency, language);
    const sum = language.t("{cost} for {calls}", {
      cost,
      calls: invocationCountText(calls, language),
    });
    const isSample = registry === builtInRegistryName;
    return { registry, cost: sampleText(sum, isSample, language) };
  });
}
