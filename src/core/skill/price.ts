import type { Language } from "../text/language";
import { moneyText } from "../text/money";
import type { Price, SkillDetail } from "./skill";

/** Tells whether a registry that may name a price failed to do so. */
export function isPriceUnanswered({ unanswered }: SkillDetail): boolean {
  return unanswered?.includes("prices") === true;
}

/** Lists the prices in force, else the way of billing alone; empty where the registry did not say. */
export function pricesOf(skill: SkillDetail): readonly Price[] {
  const { prices, summary } = skill;
  if (isPriceUnanswered(skill)) return [];
  const active = activePrices(prices);
  if (active.length > 0) return active;
  const { billingModel } = summary;
  return billingModel === undefined ? [] : [{ billingModel }];
}

/** Says what a skill costs; empty where that is not known. Amounts are marked where they are samples. */
export function pricesText(
  { prices }: { readonly prices: readonly Price[] },
  language: Language,
  isSample = false,
): string {
  return prices.map((price) => priceText(price, language, isSample)).join(", ");
}

/** Leaves out the prices a registry says are not in force. */
export function activePrices(prices: readonly Price[] | undefined): readonly Price[] {
  return (prices ?? []).filter(({ status }) => status === undefined || status === "active");
}

/** What one invocation is going to cost. `unknown` where the registry bills it and gives no amount. */
export type InvocationPrice =
  | { readonly kind: "free" }
  | { readonly kind: "amount"; readonly cents: number; readonly currency: string }
  | { readonly kind: "unknown" };

/** Reads what one invocation of a skill costs. A subscription costs nothing more with each invocation. */
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

/** Tells whether money is or may be involved in invoking a skill, also by subscription. */
export function isBilled(skill: SkillDetail): boolean {
  if (invocationPrice(skill).kind !== "free") return true;
  const models = activePrices(skill.prices).map(({ billingModel }) => billingModel);
  return [...models, skill.summary.billingModel].includes("subscription");
}

/** Says what a skill costs, such as "$0.02 per invocation", and that the amount is a sample where it is. A price without an amount says so. */
export function priceText(price: Price, language: Language, isSample = false): string {
  const isFree = price.billingModel === "free" || price.unitAmountCents === 0;
  return isFree ? language.t("Free") : sampleText(billedText(price, language), isSample, language);
}

function billedText(price: Price, language: Language): string {
  const { t } = language;
  if (price.unitAmountCents === undefined) {
    return `${billingText(price.billingModel, language)}, ${t("amount not provided")}`;
  }
  const amount = moneyText(price.unitAmountCents, price.currency, language);
  if (price.billingModel === "per_call") return t("{amount} per invocation", { amount });
  if (price.billingModel === "subscription") return t("{amount} a month", { amount });
  return `${amount} (${price.billingModel})`;
}

/** Marks a price or number that is invented, as all of the built-in registry's are; others stay. */
export function sampleText(text: string, isSample: boolean, { t }: Language): string {
  return isSample && text !== "" ? t("{text} (sample)", { text }) : text;
}

/** As `sampleText`, with the mark before the text: a narrow row is cut at its end. */
export function sampleRowText(text: string, isSample: boolean, { t }: Language): string {
  return isSample && text !== "" ? t("sample: {text}", { text }) : text;
}

/** Names a way of billing; a registry's own word stays as it is. */
export function billingText(model: string, { t }: Language): string {
  switch (model) {
    case "free":
      return t("Free");
    case "per_call":
      return t("Billed per invocation");
    case "subscription":
      return t("Billed by subscription");
    default:
      return model;
  }
}
