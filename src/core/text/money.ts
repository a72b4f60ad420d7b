import { numberFormat } from "./formats";
import type { Language } from "./language";

/** The digits of each currency that was formatted. A format takes as long to describe as to make. */
const digitsOf = new Map<string, number>();

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

/**
 * Normalizes a currency for comparing and adding: `USD` for `usd` and ` Usd `. A word that is no ISO 4217 code is only
 * trimmed.
 */
export function currencyOf(word: string): string {
  const trimmed = word.trim();
  const code = trimmed.toUpperCase();
  return currencies.has(code) ? code : trimmed;
}

/**
 * Returns how many digits after the point the smallest unit of a currency has: 0 for `jpy`, 3 for `kwd`. 2 for no or an
 * unknown currency.
 */
function minorDigits(currency = ""): number {
  const code = currencyOf(currency);
  if (!currencies.has(code)) return 2;
  const known = digitsOf.get(code);
  if (known !== undefined) return known;
  const format = numberFormat("en", { style: "currency", currency: code });
  const { maximumFractionDigits = 2 } = format.resolvedOptions();
  digitsOf.set(code, maximumFractionDigits);
  return maximumFractionDigits;
}

/** Converts an amount in the smallest unit of a currency to whole units: 100 is 1 for `usd` and 100 for `jpy`. */
export function wholeAmount(cents: number, currency?: string): number {
  return cents / 10 ** minorDigits(currency);
}

/**
 * Formats an amount given in the smallest unit of a currency (ISO 4217 code), such as cents. An unknown code is written
 * beside the number.
 */
export function moneyText(
  cents: number,
  currency: string | undefined,
  { locale }: Language,
): string {
  const amount = wholeAmount(cents, currency);
  const digits = { minimumFractionDigits: minorDigits(currency), maximumFractionDigits: 6 };
  if (currency !== undefined && /^[A-Za-z]{3}$/.test(currency)) {
    const format = { style: "currency", currency: currency.toUpperCase(), ...digits } as const;
    return numberFormat(locale, format).format(amount);
  }
  const number = numberFormat(locale, digits).format(amount);
  return currency === undefined || currency === "" ? number : `${number} ${currency}`;
}
