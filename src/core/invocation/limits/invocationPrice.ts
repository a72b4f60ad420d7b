import type { SkillDetail } from "../../skill/skill";
import { activePrices, isPriceUnanswered } from "../consent/terms";

/** What one call is going to cost. `unknown` where the registry bills it and gives no amount. */
export type InvocationPrice =
  | { readonly kind: "free" }
  | { readonly kind: "amount"; readonly cents: number; readonly currency: string }
  | { readonly kind: "unknown" };

/** Reads what one call of a skill costs. A subscription costs nothing more with each call. */
export function invocationPrice(skill: SkillDetail): InvocationPrice {
  if (isPriceUnanswered(skill)) return { kind: "unknown" };
  const prices = activePrices(skill.prices);
  if (prices.length === 0) {
    const model = skill.summary.billingModel;
    return { kind: model === "free" || model === "subscription" ? "free" : "unknown" };
  }
  const perCall = prices.filter(
    ({ billingModel }) => billingModel !== "free" && billingModel !== "subscription",
  );
  if (perCall.length === 0) return { kind: "free" };
  const amounts = perCall.map(({ unitAmountCents }) => unitAmountCents);
  if (amounts.includes(undefined)) return { kind: "unknown" };
  // Several prices stand beside each other; the dearest is the one to be ready for.
  const dearest = perCall.reduce((most, price) =>
    (price.unitAmountCents ?? 0) > (most.unitAmountCents ?? 0) ? price : most,
  );
  const cents = dearest.unitAmountCents ?? 0;
  return cents > 0 ? { kind: "amount", cents, currency: dearest.currency ?? "" } : { kind: "free" };
}

/** Tells whether money is or may be involved in calling a skill, also by subscription. */
export function isBilled(skill: SkillDetail): boolean {
  if (invocationPrice(skill).kind !== "free") return true;
  const models = activePrices(skill.prices).map(({ billingModel }) => billingModel);
  return [...models, skill.summary.billingModel].includes("subscription");
}
