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

/** Says a kept text in a language. */
export function spoken({ text, values = {} }: Wording, language: Language): string {
  const said = Object.entries(values).map(([name, value]): [string, string | number] => [
    name,
    typeof value === "object" ? spoken(value, language) : value,
  ]);
  return language.translate(text, Object.fromEntries(said));
}
