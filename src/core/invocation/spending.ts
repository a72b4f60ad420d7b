import { isJsonObject } from "../json/jsonValue";
import { type InvocationPrice, sampleText } from "../skill/price";
import { localDay } from "../text/dates";
import type { Language } from "../text/language";
import { currencyOf, isCurrency, moneyText } from "../text/money";
import { outcomeOf } from "./outcome";
import { invocationCountText } from "./record/invocationLabels";
import { builtInRegistryName, type InvocationRecord } from "./record/invocationRecord";

/** The cost of one skill's invocations on one day, in one currency. `day` is `YYYY-MM-DD`, local time. */
export interface DayCost {
  readonly day: string;
  readonly registry: string;
  /** Empty in what earlier versions kept. */
  readonly skillSlug: string;
  /** As `currencyOf` spells it; empty where the registry gave none. */
  readonly currency: string;
  readonly cents: number;
  readonly calls: number;
  /** The cost of the most expensive of these invocations. */
  readonly dearestCents: number;
  /** The ID of the record of one invocation whose cost is not known yet; `cents` is the expected price then. */
  readonly expectedFor?: string;
  /** Of agents, which have limits of their own: what they did for free counts too. */
  readonly isAgents?: true;
}

/** The cost of recent invocations, over all windows of this machine, oldest first. */
export type Spending = readonly DayCost[];

/** Sums of a day and currency; all are read before each invocation. */
const maxEntries = 2000;

/** Returns how many milliseconds are left of the local day of a time, also of one with 23 or 25 hours. */
export function restOfDay(time: number): number {
  const date = new Date(time);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime() - time;
}

/** Adds what an invocation cost. */
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
  return [...spending.filter((other) => !isSame(other)), sum].slice(-maxEntries);
}

/**
 * Notes what an invocation that is sent next, with the record `id`, is expected to cost on `day`: the listed
 * price, or what the skill was billed before. Nothing is noted where neither is known. Expected costs of
 * other days are removed.
 */
export function expectCost(
  spending: Spending,
  call: PricedInvocation,
  id: string,
  day: string,
): Spending {
  const known = expectedCost(spending, call) ?? (call.isAgents ? free : undefined);
  // Of agents, what is free is counted as well.
  const isCounted = known !== undefined && (known.cents > 0 || call.isAgents === true);
  if (!isCounted) return spending;
  const cost = known;
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
  return [...others, expected].slice(-maxEntries);
}

/** Removes what the invocation with the record `id` was expected to cost. */
export function releaseCost(spending: Spending, id: string): Spending {
  return spending.filter(({ expectedFor }) => expectedFor !== id);
}

/**
 * Notes how an invocation ended: its cost replaces the expected one, which counts as its cost where the skill
 * ran and the registry named no amount. The expected cost stays where the outcome is unknown, since it may
 * have been billed.
 */
export function settleCost(spending: Spending, record: InvocationRecord): Spending {
  const { id, registry, skillSlug, amountCents, currency = "" } = record;
  const { counts, mayBeBilled } = outcomeOf(record);
  if (counts === "undecided") return spending;
  const expected = spending.find(({ expectedFor }) => expectedFor === id);
  const others = spending.filter((cost) => cost !== expected);
  const cost =
    amountCents === undefined && mayBeBilled ? expected : { cents: amountCents ?? 0, currency };
  const isCounted = cost !== undefined && (cost.cents > 0 || (expected?.isAgents && mayBeBilled));
  if (cost === undefined || !isCounted) return others;
  const day = localDay(record.startedAt);
  const { cents, currency: named } = cost;
  const by = expected?.isAgents && { isAgents: true as const };
  return addCost(others, { day, registry, skillSlug, currency: named, cents, ...by });
}

/** What agents spent on a day, and how often they invoked one skill, running and unknown outcomes included. */
export interface AgentSpending {
  /** What the next invocation of the skill is expected to cost. */
  readonly nextCents: number;
  /** In hundredths of whatever currencies together. */
  readonly cents: number;
  readonly skillCents: number;
  readonly skillCalls: number;
}

/** Adds up what agents spent on a day (`YYYY-MM-DD`, local time) at all registries, and on one skill. */
export function agentSpending(
  spending: Spending,
  day: string,
  call: PricedInvocation,
): AgentSpending {
  const { registry, skillSlug } = call;
  const ofAgents = spending.filter((cost) => cost.day === day && cost.isAgents === true);
  const ofSkill = ofAgents.filter(
    (cost) => cost.registry === registry && cost.skillSlug === skillSlug,
  );
  const centsOf = (costs: Spending) => costs.reduce((sum, { cents }) => sum + cents, 0);
  const skillCalls = ofSkill.reduce((sum, { calls }) => sum + calls, 0);
  const nextCents = Math.max(0, ...expectedCosts(spending, call).map(({ cents }) => cents));
  return { nextCents, cents: centsOf(ofAgents), skillCents: centsOf(ofSkill), skillCalls };
}

function isExpected({ expectedFor }: DayCost): boolean {
  return expectedFor !== undefined;
}

/** Lists what was spent on a day, expected costs included. */
function costsOn(spending: Spending, day: string): readonly DayCost[] {
  return spending.filter((cost) => cost.day === day && cost.cents > 0);
}

/** An amount in hundredths of a currency; the currency may be unknown. */
export interface Amount {
  readonly cents: number;
  readonly currency: string;
}

const free: Amount = { cents: 0, currency: "" };

/** An invocation with the price the registry lists, before it is sent. */
export interface PricedInvocation {
  readonly registry: string;
  readonly skillSlug: string;
  readonly price: InvocationPrice;
  /** Whether an agent wants it. */
  readonly isAgents?: boolean;
}

/**
 * Explains why an invocation needs a question first: with it, today's cost at this registry would pass the
 * ceiling. Undefined where it would not, and where `ceilingCents` is 0, which is no ceiling. Billed costs
 * count, whatever is listed: a skill listed as free costs what it was billed before. Invocations that are
 * running or whose outcome is unknown count at the expected price. An amount without a known currency counts
 * in every currency. An unknown price asks once the ceiling is reached.
 */
export function dailyLimitQuestion(
  spending: Spending,
  call: PricedInvocation,
  ceilingCents: number,
  day: string,
  language: Language,
): string | undefined {
  const { t } = language;
  const { skillSlug: skill } = call;
  const isSample = call.registry === builtInRegistryName;
  const money = (amount: Amount) => sampleText(amountText(amount, language), isSample, language);
  if (ceilingCents <= 0) return undefined;
  const today = costsOn(spending, day).filter(({ registry }) => registry === call.registry);
  const costs = expectedCosts(spending, call);
  if (costs.length === 0) {
    if (call.price.kind === "free") return undefined;
    const spent = mostSpent(today);
    if (spent.cents < ceilingCents) return undefined;
    const question = t(
      "Your spending limit of {ceiling} a day is reached: {spent} spent today. The price of {skill} is not known.",
      {
        spent: money(spent),
        ceiling: amountText({ ...spent, cents: ceilingCents }, language),
        skill,
      },
    );
    return (
      question +
      expectedText(today, spent, isSample, language) +
      unknownCurrencyText([...today], language)
    );
  }
  const passing = costs
    .map((cost) => ({ cost, spent: spentBeside(today, cost) }))
    .find(({ cost, spent }) => spent.cents + cost.cents > ceilingCents);
  if (passing === undefined) return undefined;
  const { cost, spent } = passing;
  const question = t(
    "This invocation of {skill} costs {price}. With {spent} spent today, it exceeds your limit of {ceiling} a day.",
    {
      skill,
      price: money(cost),
      spent: money(spent),
      ceiling: amountText({ ...spent, cents: ceilingCents }, language),
    },
  );
  const listed =
    call.price.kind === "free" ? ` ${t("It is listed as free, but was billed before.")}` : "";
  return (
    question +
    listed +
    expectedText(today, spent, isSample, language) +
    unknownCurrencyText([...today, cost], language)
  );
}

/**
 * Returns what an invocation is expected to cost: the listed price, or what the skill was billed before; the higher one
 * where both are in the same currency. Undefined where neither is known.
 */
export function expectedCost(spending: Spending, call: PricedInvocation): Amount | undefined {
  const [first, ...others] = expectedCosts(spending, call);
  if (first === undefined) return call.price.kind === "free" ? free : undefined;
  return others
    .filter(({ currency }) => currency === first.currency)
    .reduce((dearest, cost) => (cost.cents > dearest.cents ? cost : dearest), first);
}

/** What an invocation may cost: the listed price, and what this skill was billed on the last day it was. */
function expectedCosts(
  spending: Spending,
  { registry, skillSlug, price }: PricedInvocation,
): readonly Amount[] {
  const costs = spending.filter(
    (cost) => cost.registry === registry && cost.skillSlug === skillSlug && !isExpected(cost),
  );
  const lastDay = costs.reduce((latest, { day }) => (day > latest ? day : latest), "");
  const billed = costs
    .filter(({ day, dearestCents }) => day === lastDay && dearestCents > 0)
    .map(({ dearestCents: cents, currency }) => ({ cents, currency }));
  return price.kind === "amount" ? [price, ...billed] : billed;
}

/** What was spent in the currency of an amount; where that is not known, in every currency it may be. */
function spentBeside(today: readonly DayCost[], { currency }: Amount): Amount {
  return isCurrency(currency) ? spentIn(today, currency) : mostSpent(today);
}

/** What was spent in a currency, and in those that may be the same one. */
function spentIn(today: readonly DayCost[], currency: string): Amount {
  const counted = today.filter((cost) => cost.currency === currency || !isCurrency(cost.currency));
  return { cents: counted.reduce((sum, { cents }) => sum + cents, 0), currency };
}

function mostSpent(today: readonly DayCost[]): Amount {
  const known = today.map(({ currency }) => currency).filter(isCurrency);
  const [first = spentIn(today, ""), ...others] = known.map((name) => spentIn(today, name));
  return others.reduce((most, sum) => (sum.cents > most.cents ? sum : most), first);
}

/** Describes how much of what was spent is only expected. */
function expectedText(
  today: readonly DayCost[],
  { currency }: Amount,
  isSample: boolean,
  language: Language,
): string {
  const amount = spentIn(today.filter(isExpected), currency);
  if (amount.cents === 0) return "";
  const expected = sampleText(amountText(amount, language), isSample, language);
  const text = language.t(
    "This includes {expected} for invocations that are running or whose outcome is unknown.",
    { expected },
  );
  return ` ${text}`;
}

function amountText({ cents, currency }: Amount, language: Language): string {
  return moneyText(cents, currency === "" ? undefined : currency, language);
}

function unknownCurrencyText(
  amounts: readonly Pick<Amount, "currency">[],
  { t }: Language,
): string {
  return amounts.every(({ currency }) => isCurrency(currency))
    ? ""
    : ` ${t("Amounts without a known currency count in full.")}`;
}

/** Describes what was billed on a day, for each registry and currency: "$0.06 for 2 invocations". */
export function costText(
  spending: Spending,
  day: string,
  language: Language,
): readonly { readonly registry: string; readonly cost: string }[] {
  const { t } = language;
  const sums = new Map<string, Pick<DayCost, "registry" | "currency" | "cents" | "calls">>();
  const billed = costsOn(spending, day).filter((cost) => !isExpected(cost));
  for (const { registry, currency, cents, calls } of billed) {
    const name = JSON.stringify([registry, currency]);
    const sum = sums.get(name) ?? { cents: 0, calls: 0 };
    sums.set(name, { registry, currency, cents: sum.cents + cents, calls: sum.calls + calls });
  }
  return [...sums.values()].map(({ registry, calls, ...amount }) => {
    const cost = amountText(amount, language);
    const sum = t("{cost} for {calls}", { cost, calls: invocationCountText(calls, language) });
    return {
      registry,
      cost: sampleText(sum, registry === builtInRegistryName, language),
    };
  });
}

/** Reads spending from a file's contents, also of an earlier version. Damaged entries are left out. */
export function readSpending(value: unknown): Spending {
  return Array.isArray(value) ? value.flatMap(readDayCost).slice(-maxEntries) : [];
}

function readDayCost(value: unknown): readonly DayCost[] {
  if (!isJsonObject(value)) return [];
  const { day, registry, skillSlug = "", currency, cents, calls, dearestCents = 0 } = value;
  const { expectedFor, isAgents } = value;
  const isRead =
    [day, registry, skillSlug, currency, expectedFor ?? ""].every(
      (text) => typeof text === "string",
    ) && [cents, calls, dearestCents].every((number) => Number.isFinite(number));
  if (!isRead) return [];
  const by = isAgents === true && { isAgents };
  const sum = { day, registry, skillSlug, cents, calls, dearestCents, ...by };
  const cost = typeof expectedFor === "string" ? { ...sum, expectedFor } : sum;
  return [{ ...cost, currency: currencyOf(String(currency)) } as DayCost];
}
