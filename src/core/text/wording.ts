import type { Language } from "./language";

/**
 * Something to be said later, once the reader's language is known: an English text with places such
 * as `{name}`, and what stands there. A value may be such a text itself.
 */
export interface Wording {
  readonly text: string;
  readonly values?: Readonly<Record<string, string | number | Wording>>;
}

/** Keeps a text and its values for later; `text` is a literal, so that its translation can be looked for. */
export function wording(text: string, values?: Wording["values"]): Wording {
  return values === undefined ? { text } : { text, values };
}

/** Says a kept text in a language, numbers with its separators. */
export function spoken({ text, values = {} }: Wording, language: Language): string {
  const said = Object.entries(values).map(([name, value]) => [name, valueIn(value, language)]);
  return language.translate(text, Object.fromEntries(said));
}

function valueIn(value: string | number | Wording, language: Language): string {
  if (typeof value === "string") return value;
  return typeof value === "number"
    ? new Intl.NumberFormat(language.locale).format(value)
    : spoken(value, language);
}
