import type { Language } from "./language";

/**
 * Text to localize later, when the reader's language is known: an English text with placeholders such
 * as `{name}`, and their values. A value may be such a text itself.
 */
export interface LocalizableText {
  readonly text: string;
  readonly values?: Readonly<Record<string, string | number | LocalizableText>>;
}

/** Keeps a text and its values; `text` is a literal, so that the check of the translations finds it. */
export function l10nText(text: string, values?: LocalizableText["values"]): LocalizableText {
  return values === undefined ? { text } : { text, values };
}

/** Localizes a text, with numbers formatted for the locale. */
export function localize({ text, values = {} }: LocalizableText, language: Language): string {
  const localized = Object.entries(values).map(([name, value]) => [
    name,
    localizeValue(value, language),
  ]);
  return language.t(text, Object.fromEntries(localized));
}

function localizeValue(value: string | number | LocalizableText, language: Language): string {
  if (typeof value === "string") return value;
  return typeof value === "number"
    ? new Intl.NumberFormat(language.locale).format(value)
    : localize(value, language);
}
