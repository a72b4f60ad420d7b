import type { Language } from "./language";

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
 * Formats an amount given in hundredths of a currency (ISO 4217 code). An unknown code is written beside the number.
 */
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
