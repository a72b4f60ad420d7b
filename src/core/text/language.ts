/** Says a fixed English text in the reader's language; `{name}` in it stands for the value of that name. */
export type Translate = (
  text: string,
  values?: Readonly<Record<string, string | number>>,
) => string;

/** How to speak to the reader. `locale` is a BCP 47 tag, for dates and numbers. */
export interface Language {
  readonly locale: string;
  readonly translate: Translate;
}

/** The language the texts are written in. */
export const english: Language = { locale: "en", translate: fillIn };

/** Puts values into the places that name them; a name without a value stays as it is. */
export function fillIn(
  text: string,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : place,
  );
}
