import { numberFormat } from "./formats";
/** Localizes a fixed English text; `{name}` in it is a placeholder for the value of that name. */
export type Translate = (
  text: string,
  values?: Readonly<Record<string, string | number>>,
) => string;

/** The reader's language. `locale` is a BCP 47 tag, for dates and numbers; `t` localizes a text. */
export interface Language {
  readonly locale: string;
  readonly t: Translate;
}

/** The data of a language, in a form that can be sent to a thread. */
export interface LanguageTexts {
  readonly locale: string;
  /** English texts and their translations; empty for English. */
  readonly words: Readonly<Record<string, string>>;
}

/** The language the texts are written in. */
export const english: Language = { locale: "en", t: fillIn };

/**
 * Creates the language of a reader. `texts` maps English texts to translations; a missing one stays English. Without
 * any texts, dates and numbers are English as well, so that no sentence mixes two languages.
 */
export function languageOf(locale: string, texts: Readonly<Record<string, string>>): Language {
  const isEnglish = locale === "en" || locale.startsWith("en-");
  const supportedLocale =
    isEnglish || Object.keys(texts).length > 0 ? canonicalLocale(locale) : undefined;
  return { locale: supportedLocale ?? english.locale, t: translateWith(texts) };
}

/** Creates a Translate from English texts and their translations. A missing one stays English. */
export function translateWith(texts: Readonly<Record<string, string>>): Translate {
  return (text, values) =>
    fillIn(Object.hasOwn(texts, text) ? (texts[text] ?? text) : text, values);
}

/** Replaces placeholders that have a value; others stay as they are. */
export function fillIn(text: string, values?: Readonly<Record<string, string | number>>): string {
  if (values === undefined) return text;
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : placeholder,
  );
}

function canonicalLocale(locale: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(locale)[0];
  } catch {
    return undefined;
  }
}

/** Joins alternatives: `a, b or c`. Empty for none. */
export function orList(values: readonly string[], { t }: Language): string {
  const last = values.at(-1) ?? "";
  if (values.length < 2) return last;
  return t("{values} or {last}", { values: values.slice(0, -1).join(", "), last });
}

/** Joins what all holds: `a, b and c`. Empty for none. */
export function andList(values: readonly string[], { t }: Language): string {
  const last = values.at(-1) ?? "";
  if (values.length < 2) return last;
  return t("{values} and {last}", { values: values.slice(0, -1).join(", "), last });
}

/** Joins the texts of the first `maxItems` items of a list with commas, and counts the others. */
export function firstOfList<Item>(
  items: readonly Item[],
  maxItems: number,
  textOf: (item: Item) => string,
  { t }: Language,
): string {
  const values = items.slice(0, maxItems).map(textOf).join(", ");
  const count = items.length - maxItems;
  return count > 0 ? t("{values} and {count} more", { values, count }) : values;
}

/** Formats a duration: `84 ms`, and from one second on `1.2 s`. */
export function durationText(milliseconds: number, { locale }: Language): string {
  const rounded = Math.round(milliseconds);
  if (rounded < 1000) return `${rounded} ms`;
  const tenths = numberFormat(locale, {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  return `${tenths.format(milliseconds / 1000)} s`;
}

/** Formats a number of bytes: `812 bytes`, `12 KB`, `3.4 MB`. */
export function sizeText(bytes: number, { t, locale }: Language): string {
  const format = numberFormat(locale, { maximumFractionDigits: 1 });
  if (bytes < 1000) return t("{count} bytes", { count: bytes });
  return bytes < 1_000_000
    ? `${format.format(Math.round(bytes / 1000))} KB`
    : `${format.format(bytes / 1_000_000)} MB`;
}

/**
 * Text to localize later, when the reader's language is known: an English text with placeholders such as `{name}`, and
 * their values. A value may be such a text itself.
 */
export interface LocalizableText {
  readonly text: string;
  readonly values?: Readonly<Record<string, string | number | LocalizableText>>;
}

/** Creates a localizable text. `text` must be a literal, so that the check of the translations finds it. */
export function l10nText(text: string, values?: LocalizableText["values"]): LocalizableText {
  return values === undefined ? { text } : { text, values };
}

/** Localizes a text, with numbers formatted for the locale. */
export function localize({ text, values = {} }: LocalizableText, language: Language): string {
  const localized = Object.entries(values).map(([name, value]) => {
    if (typeof value === "object") return [name, localize(value, language)];
    const isText = typeof value === "string";
    return [name, isText ? value : numberFormat(language.locale).format(value)];
  });
  return language.t(text, Object.fromEntries(localized));
}
