import { english, fillIn, type Language } from "./language";

/** What a language is made from, plain data that can be sent to a thread. */
export interface LanguageTexts {
  readonly locale: string;
  /** English texts and what they are in that language; empty for English. */
  readonly words: Readonly<Record<string, string>>;
}

/**
 * Makes the language of a reader: `texts` maps English texts to theirs, and one that is missing stays
 * English. Without any texts dates and numbers are English as well, so that no sentence is of two kinds.
 */
export function languageOf(locale: string, texts: Readonly<Record<string, string>>): Language {
  const isEnglish = locale === "en" || locale.startsWith("en-");
  const known = isEnglish || Object.keys(texts).length > 0 ? canonicalLocale(locale) : undefined;
  return {
    locale: known ?? english.locale,
    translate: (text, values) =>
      fillIn(Object.hasOwn(texts, text) ? (texts[text] ?? text) : text, values),
  };
}

function canonicalLocale(locale: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(locale)[0];
  } catch {
    return undefined;
  }
}
