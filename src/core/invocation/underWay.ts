import type { InvocationPrice } from "../skill/price";

/** What decides how many invocations of a skill may be under way beside each other. */
export interface UnderWayFacts {
  /** The listed price. */
  readonly price: InvocationPrice;
  /** What the last one was billed here, in hundredths; undefined where none has ended, or it named no amount. */
  readonly billedCents: number | undefined;
  /** What is left of the project's budget at least, in hundredths; undefined where that is not known. */
  readonly leftCents: number | undefined;
  /** Whether one of them has ended. */
  readonly hasEnded: boolean;
  /** Whether their cost has a limit. */
  readonly hasLimit: boolean;
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
}: Pick<UnderWayFacts, "price" | "billedCents">): number | undefined {
  if (price.kind === "unknown") return billedCents;
  return Math.max(price.kind === "amount" ? price.cents : 0, billedCents ?? 0);
}

/**
 * Decides how many invocations of a skill may be under way beside each other; at least 1. A registry checks a budget
 * before it runs one and adds its cost afterwards, so that what is under way together passes the budget:
 *
 * - with a limit, the first one goes alone, since it shows whether what is listed as free is billed;
 * - as many as fit where it is known what is left of the budget;
 * - one at a time where it is not, unless a person chose otherwise.
 */
export function mostUnderWay(facts: UnderWayFacts): number {
  const { leftCents, hasEnded, hasLimit, isChosen } = facts;
  if (hasLimit && !hasEnded) return 1;
  const cents = expectedCents(facts);
  if (cents === 0) return Number.POSITIVE_INFINITY;
  if (leftCents !== undefined && cents !== undefined) {
    return Math.max(1, Math.floor(leftCents / cents));
  }
  return isChosen ? Number.POSITIVE_INFINITY : 1;
}
