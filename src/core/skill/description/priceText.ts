import type { Language } from "../../text/language";
import type { Price } from "../skill";

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

/**
 * Spells a currency the one way in which amounts are compared and added up: `USD` for `usd` and ` Usd `.
 * A word that is no ISO 4217 code stays as it is, trimmed.
 */
export function currencyOf(word: string): string {
  const trimmed = word.trim();
  const code = trimmed.toUpperCase();
  return isCurrency(code) ? code : trimmed;
}

/** Tells whether a word, spelled by `currencyOf`, names a currency (ISO 4217). */
export function isCurrency(word: string): boolean {
  return Intl.supportedValuesOf("currency").includes(word);
}

/** Writes an amount given in hundredths of a currency (ISO 4217 code). An unknown code stands beside the number. */
export function moneyText(
  cents: number,
  currency: string | undefined,
  { locale }: Language,
): string {
  const amount = cents / 100;
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 6 };
  if (currency !== undefined && /^[A-Za-z]{3}$/.test(currency)) {
    const format = { style: "currency", currency: currency.toUpperCase(), ...digits } as const;
    return new Intl.NumberFormat(locale, format).format(amount);
  }
  const number = new Intl.NumberFormat(locale, digits).format(amount);
  return currency === undefined || currency === "" ? number : `${number} ${currency}`;
}
