import { moneyWords } from "../../skill/description/priceWords";
import { isJsonObject } from "../../text/json";
import type { Language } from "../../text/language";
import { callCountWords } from "../record/callCountWords";
import type { CallPrice } from "./callPrice";

/** What calls of one day cost at one registry in one currency. `day` is `YYYY-MM-DD`, local time. */
export interface DayCost {
  readonly day: string;
  readonly registry: string;
  /** As the registry wrote it; empty where it gave none. */
  readonly currency: string;
  readonly cents: number;
  readonly calls: number;
}

/** What calls cost lately, over all windows of this machine, oldest first. */
export type Spending = readonly DayCost[];

const maxDays = 500;

/** Names the local day of a time. */
export function dayOf(time: number): string {
  const date = new Date(time);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Says how many milliseconds are left of the local day of a time, also of one with 23 or 25 hours. */
export function restOfDay(time: number): number {
  const date = new Date(time);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime() - time;
}

/** Adds what a call cost. */
export function addCost(spending: Spending, cost: Omit<DayCost, "calls">): Spending {
  const isSame = (other: DayCost) =>
    other.day === cost.day && other.registry === cost.registry && other.currency === cost.currency;
  const before = spending.find(isSame);
  const sum = {
    ...cost,
    cents: (before?.cents ?? 0) + cost.cents,
    calls: (before?.calls ?? 0) + 1,
  };
  return [...spending.filter((other) => !isSame(other)), sum].slice(-maxDays);
}

/** Lists what was spent on a day. */
function costsOn(spending: Spending, day: string): readonly DayCost[] {
  return spending.filter((cost) => cost.day === day && cost.cents > 0);
}

/**
 * Says why a call needs a question first: with it, today's cost at this registry would pass the
 * ceiling. Undefined where it would not, and where `ceilingCents` is 0, which is no ceiling. A call
 * of unknown price asks once the ceiling is reached.
 */
export function ceilingQuestion(
  spending: Spending,
  call: { readonly registry: string; readonly skillSlug: string; readonly price: CallPrice },
  ceilingCents: number,
  day: string,
  language: Language,
): string | undefined {
  const { t } = language;
  const { price, skillSlug: skill } = call;
  const words = (cents: number, currency: string) =>
    moneyWords(cents, currency === "" ? undefined : currency, language);
  if (ceilingCents <= 0 || price.kind === "free") return undefined;
  const today = costsOn(spending, day).filter(({ registry }) => registry === call.registry);
  if (price.kind === "unknown") {
    const full = today.find(({ cents }) => cents >= ceilingCents);
    if (full === undefined) return undefined;
    return t(
      "Calls cost {spent} today, which reaches your ceiling of {ceiling} a day. The price of {skill} is not known.",
      {
        spent: words(full.cents, full.currency),
        ceiling: words(ceilingCents, full.currency),
        skill,
      },
    );
  }
  const spent = today.find(({ currency }) => currency === price.currency)?.cents ?? 0;
  if (spent + price.cents <= ceilingCents) return undefined;
  return t(
    "This call of {skill} costs {price}. With {spent} spent today it passes your ceiling of {ceiling} a day.",
    {
      skill,
      price: words(price.cents, price.currency),
      spent: words(spent, price.currency),
      ceiling: words(ceilingCents, price.currency),
    },
  );
}

/** Says what was spent on a day, for each registry and currency: "$0.06 for 2 calls". */
export function costWords(
  spending: Spending,
  day: string,
  language: Language,
): readonly { readonly registry: string; readonly cost: string }[] {
  const { t } = language;
  return costsOn(spending, day).map(({ registry, currency, cents, calls }) => {
    const cost = moneyWords(cents, currency === "" ? undefined : currency, language);
    return {
      registry,
      cost: t("{cost} for {calls}", { cost, calls: callCountWords(calls, language) }),
    };
  });
}

/** Reads spending from what a file held. What is damaged is left out. */
export function readSpending(value: unknown): Spending {
  return Array.isArray(value) ? value.filter(isDayCost).slice(-maxDays) : [];
}

function isDayCost(value: unknown): value is DayCost {
  if (!isJsonObject(value)) return false;
  const { day, registry, currency, cents, calls } = value;
  return (
    [day, registry, currency].every((text) => typeof text === "string") &&
    [cents, calls].every((number) => Number.isFinite(number))
  );
}
