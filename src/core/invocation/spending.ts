import { builtInRegistryName } from "../registry/registryName";
import { type InvocationPrice, sampleText } from "../skill/price";
import type { Language } from "../text/language";
import { currencyOf, moneyText } from "../text/money";
import { type Amount, CostSums, costOf, sumsText, totalCents } from "./cost";
import { outcomeOf } from "./outcome";
import { invocationCountText } from "./record/invocationLabels";
import type { InvocationRecord } from "./record/invocationRecord";

/** The cost of one skill's invocations on one day, in one currency. `day` is `YYYY-MM-DD`, local time. */
export interface DayCost {
  readonly day: string;
  readonly registry: string;
  readonly skillSlug: string;
  /** As `currencyOf` spells it; empty if the registry returned none. */
  readonly currency: string;
  readonly cents: number;
  readonly calls: number;
  /** The cost of the most expensive of these invocations. */
  readonly dearestCents: number;
  /** Set for invocations whose cost is not known yet; `cents` is their expected cost. */
  readonly isExpected?: true;
  /** Whether agents made the invocations. Agents have their own limits, in which free invocations count too. */
  readonly isAgents?: true;
}

/** The cost of the recent invocations of all windows of this machine, oldest first. */
export type Spending = readonly DayCost[];

/** Returns how many milliseconds of a local day remain at a time, even on days with 23 or 25 hours. */
export function restOfDay(time: number): number {
  const date = new Date(time);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime() - time;
}

/** Returns the amount that counts before an invocation ended; undefined if nothing counts. */
export function costToExpect(spending: Spending, call: PricedInvocation): Amount | undefined {
  const { cents, currency } = expectedCost(spending, call) ?? free;
  // For agents, free invocations count as well.
  const counts = cents > 0 || call.isAgents === true;
  return counts ? { cents, currency: currencyOf(currency) } : undefined;
}

/**
 * Returns the amount that counts after an invocation ended; undefined if nothing counts. `expected` for an unknown
 * outcome: it may have been billed, so the expected cost stays. `isAgents` is whether it counted for an agent.
 */
export function costToCount(
  record: InvocationRecord,
  isAgents: boolean,
): Amount | "expected" | undefined {
  const { counts, mayBeBilled } = outcomeOf(record);
  if (counts === "undecided") return "expected";
  const cost = costOf(record);
  const { cents, currency } = "cents" in cost ? cost : free;
  // For agents, free invocations count as well.
  if (cents <= 0 && !(isAgents && mayBeBilled)) return undefined;
  return { cents: Math.max(0, cents), currency: currencyOf(currency) };
}

/**
 * The spending of agents on a day, and the number of their invocations of one skill. Includes running invocations and
 * unknown outcomes.
 */
export interface AgentSpending {
  /** The expected cost of the next invocation of the skill. */
  readonly nextCents: number;
  /** As `totalCents` adds them, with the next invocation's currency: infinite for several currencies. */
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
  const next = expectedCost(spending, call) ?? free;
  const spent = (costs: Spending) => totalCents([...costs, next]) - next.cents;
  return {
    nextCents: next.cents,
    cents: spent(ofAgents),
    skillCents: spent(ofSkill),
    skillCalls: ofSkill.reduce((sum, { calls }) => sum + calls, 0),
  };
}

function isOfSkill(cost: DayCost, { registry, skillSlug }: PricedInvocation): boolean {
  return cost.registry === registry && cost.skillSlug === skillSlug;
}

/** An invocation with the price the registry lists, before it is sent. */
export interface PricedInvocation {
  readonly registry: string;
  readonly skillSlug: string;
  /** The price of all `count` invocations together. */
  readonly price: InvocationPrice;
  /** Default: 1. */
  readonly count?: number;
  readonly isAgents?: boolean;
}

/**
 * A daily limit in hundredths of a registry's currency; 0 for no limit. `unknown` if the settings could not be read: a
 * limit may be set.
 */
export type DailyLimit = number | "unknown";

/**
 * Explains why an invocation needs a question first: today's cost at this registry would exceed the limit, or is
 * in several currencies, so that no sum is known. Undefined if it would not, or without a known limit.
 * The invocation costs what `expectedCost` returns. Earlier ones that are running, have an unknown outcome or no named
 * amount count at their expected price. If the price is unknown, the question comes once the limit is reached.
 */
export function dailyLimitQuestion(
  spending: Spending,
  call: PricedInvocation,
  ceilingCents: DailyLimit,
  day: string,
  language: Language,
): string | undefined {
  if (ceilingCents === "unknown" || ceilingCents <= 0) return undefined;
  const { t } = language;
  const { registry, skillSlug: skill } = call;
  const today = spending.filter((cost) => cost.day === day && cost.registry === registry);
  const next = expectedCost(spending, call);
  const spentCents = totalCents([...today, ...(next === undefined ? [] : [next])]);
  const isOver =
    next === undefined ? spentCents >= ceilingCents : next.cents > 0 && spentCents > ceilingCents;
  if (!isOver) return undefined;
  const all = [...today, ...(next === undefined ? [] : [next])].filter(({ cents }) => cents > 0);
  const currencies = new Set(all.map(currencyIn));
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
      : (severalText(
          call,
          next,
          ceilingCents - spentCents + next.cents,
          { ceiling, spent, skill },
          language,
        ) ??
        t(
          "This invocation of {skill} costs {price}. With {spent} spent today, it exceeds your limit of {ceiling} a day.",
          { ceiling, spent, skill, price: money(next, call, language) },
        )),
  ];
  if (next !== undefined && call.price.kind === "free") {
    sentences.push(t("It is listed as free, but was billed before."));
  }
  const expected = moneyIn(
    today.filter(({ isExpected }) => isExpected),
    registry,
    language,
  );
  if (expected !== "") {
    sentences.push(
      t("This includes {expected} for invocations that are running or whose outcome is unknown.", {
        expected,
      }),
    );
  }
  if (others.length > 0) {
    sentences.push(t("Amounts in different currencies cannot be added up, so you are asked."));
  }
  return sentences.join(" ");
}

/** Says how many of several invocations fit into the limit. Undefined for one, or if that is not known. */
function severalText(
  call: PricedInvocation,
  next: Amount,
  leftCents: number,
  texts: { readonly ceiling: string; readonly spent: string; readonly skill: string },
  language: Language,
): string | undefined {
  const { price, count = 1 } = call;
  const isListed = price.kind === "amount" && price.cents === next.cents;
  if (count === 1 || !isListed || !Number.isFinite(leftCents)) return undefined;
  const fitting = Math.max(0, Math.floor((leftCents * count) / next.cents));
  return language.t(
    "{count} invocations of {skill} cost {price}. With {spent} spent today, {fitting} of them fit into your limit of {ceiling} a day.",
    { ...texts, count, fitting, price: money(next, call, language) },
  );
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
 * day, whichever is higher. Undefined if neither is known.
 */
export function expectedCost(spending: Spending, call: PricedInvocation): Amount | undefined {
  const costs = spending.filter((cost) => isOfSkill(cost, call) && cost.isExpected !== true);
  const lastDay = costs.reduce((latest, { day }) => (day > latest ? day : latest), "");
  const billed = costs
    .filter(({ day, dearestCents }) => day === lastDay && dearestCents > 0)
    .map(({ dearestCents: cents, currency }) => ({ cents, currency }));
  const { price } = call;
  const listed = price.kind === "amount" ? [price] : price.kind === "free" ? [free] : [];
  const [first, ...others] = [...listed, ...billed];
  const highest = others.reduce(
    (most, amount) => (amount.cents > (most?.cents ?? 0) ? amount : most),
    first,
  );
  return highest && { cents: highest.cents, currency: highest.currency };
}

/** Describes the billed amounts of a day, per registry and currency: "$0.06 for 2 invocations". */
export function billedTexts(
  spending: Spending,
  day: string,
  language: Language,
): readonly { readonly registry: string; readonly cost: string }[] {
  const sums = new Map<string, Pick<DayCost, "registry" | "currency" | "cents" | "calls">>();
  const billed = spending.filter(
    (cost) => cost.day === day && cost.cents > 0 && cost.isExpected !== true,
  );
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
