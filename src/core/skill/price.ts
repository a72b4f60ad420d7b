import type { Language } from "../text/language";
import { moneyText } from "../text/money";
import type { Price, SkillDetail, SkillSummary } from "./skill";

/** Returns whether a registry that provides prices failed to return them. */
export function isPriceUnanswered({ unanswered }: Pick<SkillDetail, "unanswered">): boolean {
  return unanswered?.includes("prices") === true;
}

/** Lists the active prices, else the billing model alone; empty if the registry provides neither. */
export function pricesOf(skill: SkillDetail): readonly Price[] {
  const { prices, summary } = skill;
  if (isPriceUnanswered(skill)) return [];
  const active = activePrices(prices);
  if (active.length > 0) return active;
  const { billingModel } = summary;
  return billingModel === undefined ? [] : [{ billingModel }];
}

/** Formats the prices of a skill; empty if unknown. Samples are marked. */
export function pricesText(prices: readonly Price[], language: Language, isSample = false): string {
  return prices.map((price) => priceText(price, language, isSample)).join(", ");
}

/** Formats the price in a row: the billing model alone. */
export function listedPriceText(
  { billingModel = "", isSample }: SkillSummary,
  language: Language,
): string {
  if (billingModel === "") return language.t("Price not provided");
  const isInvented = isSample === true && billingModel !== "free";
  return sampleText(billingText(billingModel, language), isInvented, language);
}

/** Formats the price of a skill where an empty text could be mistaken for free. Never empty. */
export function skillPriceText(skill: SkillDetail, language: Language): string {
  if (isPriceUnanswered(skill)) return language.t("unknown");
  const text = pricesText(pricesOf(skill), language, skill.summary.isSample);
  return text === "" ? language.t("not provided") : text;
}

/** The words of registries for prices that do not apply. With any other word, a price may apply. */
const inactiveWords: ReadonlySet<string> = new Set([
  ...["inactive", "disabled", "archived", "deprecated", "retired", "deleted", "removed"],
  ...["draft", "scheduled", "expired", "ended", "canceled", "cancelled"],
]);

/** Filters out prices that the registry marks as inactive. */
export function activePrices(prices: readonly Price[] | undefined): readonly Price[] {
  return (prices ?? []).filter(({ status = "" }) => !inactiveWords.has(status.toLowerCase()));
}

/** The cost of one invocation. `unknown` if the registry bills it but provides no amount. */
export type InvocationPrice =
  | { readonly kind: "free" }
  | { readonly kind: "amount"; readonly cents: number; readonly currency: string }
  | { readonly kind: "unknown" };

/** Returns the cost of one invocation. With a subscription, further invocations cost nothing. */
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
  // An amount for another unit, such as a minute, says nothing about one invocation.
  if (perCall.some(({ billingModel }) => billingModel !== "per_call")) return { kind: "unknown" };
  const amounts = perCall.map(({ unitAmountCents }) => unitAmountCents);
  if (amounts.includes(undefined)) return { kind: "unknown" };
  // Several prices may apply; the highest is assumed.
  const dearest = perCall.reduce((most, price) =>
    (price.unitAmountCents ?? 0) > (most.unitAmountCents ?? 0) ? price : most,
  );
  const cents = dearest.unitAmountCents ?? 0;
  return cents > 0 ? { kind: "amount", cents, currency: dearest.currency ?? "" } : { kind: "free" };
}

/** Returns whether invoking a skill may cost money, subscriptions included. */
export function isBilled(skill: SkillDetail): boolean {
  if (invocationPrice(skill).kind !== "free") return true;
  const models = activePrices(skill.prices).map(({ billingModel }) => billingModel);
  return [...models, skill.summary.billingModel].includes("subscription");
}

/**
 * Formats a price, such as "$0.02 per invocation", and marks a sample. A price without an amount is described in words.
 */
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

/** Marks an invented price or number, such as all of the built-in registry's. Others stay. */
export function sampleText(text: string, isSample: boolean, { t }: Language): string {
  return isSample && text !== "" ? t("{text} (sample)", { text }) : text;
}

/** Marks a sample as `sampleText` does, but before the text, since narrow rows truncate the end. */
export function sampleRowText(text: string, isSample: boolean, { t }: Language): string {
  return isSample && text !== "" ? t("sample: {text}", { text }) : text;
}

/** Names a billing model. A registry's own word stays. */
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
