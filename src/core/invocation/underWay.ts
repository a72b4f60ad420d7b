import type { InvocationPrice } from "../skill/price";
import { currencyOf } from "../text/money";
import type { Amount } from "./cost";

/** The maximum time between the clicks of a double click, in any window, in milliseconds. */
export const doubleClickMs = 600;

/** The facts that decide whether one more invocation of a skill may run beside others. */
export interface UnderWayFacts {
  /** Its expected cost, in hundredths; undefined if unknown. */
  readonly cents: number | undefined;
  /** The expected cost of each invocation in progress, in hundredths; 0 if it was unknown. */
  readonly inProgressCents: readonly number[];
  /** The least remaining amount of the project's budget, in hundredths; undefined if unknown. */
  readonly remainingCents: number | undefined;
  /** Whether it must run alone first, to reveal its real price. */
  readonly runsAlone: boolean;
  /** Whether a person chose how many may run at once, or their maximum cost. */
  readonly isChosen: boolean;
}

/**
 * Returns the expected cost of the next invocation: the listed price, or the last billed amount if that is higher or in
 * another currency. Undefined if neither is known.
 */
export function expectedAmount({
  price,
  billed,
}: {
  readonly price: InvocationPrice;
  /** The last billed amount; undefined before the first invocation ended, or if its response named no amount. */
  readonly billed: Amount | undefined;
}): Amount | undefined {
  if (price.kind === "unknown") return billed;
  if (price.kind === "free") return billed ?? { cents: 0, currency: "" };
  if (billed === undefined || (isSame(billed, price) && billed.cents < price.cents)) {
    return { cents: price.cents, currency: price.currency };
  }
  return billed;
}

/**
 * Returns what remains of a project's budget after amounts that it does not include yet, in hundredths of its currency.
 * Undefined if one of them, or of the invocations that must fit beside each other, is in another currency, since
 * exchange rates are unknown. Infinity without a budget.
 */
export function remainingCents(
  budget: Amount,
  spent: readonly Amount[],
  beside: readonly Amount[],
): number | undefined {
  if (budget.cents === Number.POSITIVE_INFINITY) return budget.cents;
  const isOther = (amount: Amount) => amount.cents !== 0 && !isSame(amount, budget);
  if ([...spent, ...beside].some(isOther)) return undefined;
  return spent.reduce((left, { cents }) => left - cents, budget.cents);
}

function isSame(one: { readonly currency: string }, other: { readonly currency: string }): boolean {
  return currencyOf(one.currency) === currencyOf(other.currency);
}

/**
 * Decides whether one more invocation of a skill may run beside others. A single one always may, since the registry
 * decides about each. The registry checks a budget before an invocation and adds the cost afterwards, so that parallel
 * invocations could exceed the budget:
 *
 * - an invocation that must show its real price runs alone, since a skill listed as free may be billed;
 * - with a known budget, all invocations in progress must fit together;
 * - with an unknown budget, they run one at a time, unless a person chose otherwise.
 */
export function hasRoom(facts: UnderWayFacts): boolean {
  const { cents, inProgressCents: beside, remainingCents: leftCents, runsAlone, isChosen } = facts;
  if (beside.length === 0) return true;
  if (runsAlone) return false;
  if (cents === 0) return true;
  if (leftCents === undefined || cents === undefined) return isChosen;
  // An invocation in progress counts at least at the current price, even if a lower or no price was known when it was
  // sent.
  const together = beside.reduce((sum, other) => sum + Math.max(other, cents), cents);
  return together <= leftCents;
}
