import { builtInRegistryName } from "../registry/registryName";
import { sampleText } from "../skill/price";
import type { Language } from "../text/language";
import { currencyOf, moneyText } from "../text/money";
import { type EndFacts, outcomeOf } from "./outcome";
import { type InvocationRecord, kindOf } from "./record/invocationRecord";

/** An amount in hundredths of a currency. `currency` is empty if the registry named none. */
export interface Amount {
  readonly cents: number;
  readonly currency: string;
}

/** The facts of a record that determine its cost. */
export interface CostFacts
  extends EndFacts,
    Pick<
      InvocationRecord,
      "registry" | "kind" | "amountCents" | "currency" | "expectedCents" | "expectedCurrency"
    > {}

/**
 * The cost of an invocation: the amount in the response (`known`), else the expected cost (`expected`), else unknown.
 * `none` if nothing can have been billed.
 */
export type Cost =
  | (Amount & { readonly kind: "known" | "expected" })
  | { readonly kind: "none" | "unknown" };

/** Returns the cost of an invocation. Every sum, limit and price of past invocations uses this function. */
export function costOf(record: CostFacts): Cost {
  const { amountCents, currency = "", expectedCents, expectedCurrency = "" } = record;
  if (amountCents !== undefined) {
    // An amount without a currency is in that of the price.
    return { kind: "known", cents: amountCents, currency: currency || expectedCurrency };
  }
  if (kindOf(record) === "testRun" || !outcomeOf(record).mayBeBilled) return { kind: "none" };
  return expectedCents === undefined
    ? { kind: "unknown" }
    : { kind: "expected", cents: expectedCents, currency: expectedCurrency };
}

/**
 * Adds up amounts for a limit, in the smallest unit of their currency. A limit names no currency and exchange rates are
 * unknown: for amounts in several currencies, of which no name is one, the sum is infinite, and so exceeds every limit.
 */
export function totalCents(amounts: Iterable<Amount>): number {
  let total = 0;
  let only: string | undefined;
  for (const { cents, currency } of amounts) {
    if (cents === 0) continue;
    const code = currencyOf(currency);
    if (only !== undefined && only !== code) return Number.POSITIVE_INFINITY;
    only = code;
    total += cents;
  }
  return total;
}

/** A sum in one currency, as `currencyOf` spells it. */
export interface CostSum extends Amount {
  /** Whether it belongs to the built-in registry, where nobody pays. Other sums never include its amounts. */
  readonly isSample: boolean;
}

/**
 * Adds up amounts by currency. Groups them by the registry's spelling first, so that each spelling is normalized only
 * once: there are tens of thousands of amounts and few spellings.
 */
export class CostSums {
  /**
   * The sums of the built-in registry (`sample`) and of all others (`paid`), by the registry's spelling of the
   * currency.
   */
  private readonly sample = new Map<string, number>();
  private readonly paid = new Map<string, number>();

  add(registry: string, { cents, currency }: Amount): void {
    if (cents === 0) return;
    const sums = registry === builtInRegistryName ? this.sample : this.paid;
    sums.set(currency, (sums.get(currency) ?? 0) + cents);
  }

  /** Returns the sums: the largest amount first, then by currency. */
  get all(): readonly CostSum[] {
    return [...sumsIn(this.sample, true), ...sumsIn(this.paid, false)].sort(
      (left, right) => right.cents - left.cents || (left.currency < right.currency ? -1 : 1),
    );
  }
}

function sumsIn(spelled: ReadonlyMap<string, number>, isSample: boolean): readonly CostSum[] {
  const byCode = new Map<string, number>();
  for (const [word, cents] of spelled) {
    const currency = currencyOf(word);
    byCode.set(currency, (byCode.get(currency) ?? 0) + cents);
  }
  return [...byCode].map(([currency, cents]) => ({ currency, isSample, cents }));
}

/** Writes sums with their currencies: `$0.15 + €2.00`. Empty for none. */
export function sumsText(sums: readonly CostSum[], language: Language): string {
  return sums
    .map(({ cents, currency, isSample }) =>
      sampleText(moneyText(cents, currency, language), isSample, language),
    )
    .join(" + ");
}

/** Formats the cost of an invocation, and marks a sample or an expected cost. Empty for no cost or an unknown one. */
export function costText(record: CostFacts, language: Language): string {
  const cost = costOf(record);
  if (!("cents" in cost) || cost.cents <= 0) return "";
  const isSample = record.registry === builtInRegistryName;
  const amount = sampleText(moneyText(cost.cents, cost.currency, language), isSample, language);
  return cost.kind === "expected" ? language.t("{amount} expected", { amount }) : amount;
}
