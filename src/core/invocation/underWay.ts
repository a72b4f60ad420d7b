import type { InvocationPrice } from "../skill/price";

/** The second click of a double click comes within this time, in any window. */
export const doubleClickMs = 600;

/** What decides whether one more invocation of a skill may be under way beside others. */
export interface UnderWayFacts {
  /** What it is expected to cost, in hundredths; undefined where that is not known. */
  readonly cents: number | undefined;
  /** What each of those under way is expected to cost, in hundredths; 0 where that was not known. */
  readonly beside: readonly number[];
  /** What is left of the project's budget at least, in hundredths; undefined where that is not known. */
  readonly leftCents: number | undefined;
  /** Whether it has to show first what one is billed. */
  readonly goesAlone: boolean;
  /** Whether a person chose how many, or what they may cost. */
  readonly isChosen: boolean;
}

/**
 * Returns what the next invocation is expected to cost, in hundredths: the listed price, or what the last one was billed
 * where that is more. Undefined where neither is known.
 */
export function expectedCents({
  price,
  billedCents,
}: {
  readonly price: InvocationPrice;
  /** What the last one was billed; undefined where none has ended, or it named no amount. */
  readonly billedCents: number | undefined;
}): number | undefined {
  if (price.kind === "unknown") return billedCents;
  return Math.max(price.kind === "amount" ? price.cents : 0, billedCents ?? 0);
}

/**
 * Decides whether one more invocation of a skill may be under way beside others; always where there are none, since the
 * registry decides about each. It checks a budget before it runs one and adds its cost afterwards, so that what is
 * under way together passes the budget:
 *
 * - one that has to show what it is billed goes alone: what is listed as free may be billed;
 * - where it is known what is left of the budget, all that are under way have to fit together;
 * - where it is not, they go one at a time, unless a person chose otherwise.
 */
export function hasRoom(facts: UnderWayFacts): boolean {
  const { cents, beside, leftCents, goesAlone, isChosen } = facts;
  if (beside.length === 0) return true;
  if (goesAlone) return false;
  if (cents === 0) return true;
  if (leftCents === undefined || cents === undefined) return isChosen;
  // Those that left at another price, or an unknown one, may be billed as this one.
  const together = beside.reduce((sum, other) => sum + Math.max(other, cents), cents);
  return together <= leftCents;
}
