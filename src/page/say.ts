/** Says one of the page's own texts in the reader's language; `{name}` stands for a value. */
export type Say = (text: string, values?: Readonly<Record<string, string | number>>) => string;

/** Makes what speaks. `words` maps English texts to the reader's language; a missing one stays English. */
export function sayIn(words: Readonly<Record<string, string>>): Say {
  return (text, values = {}) => {
    const known = Object.hasOwn(words, text) ? words[text] : undefined;
    return (known ?? text).replace(/\{(\w+)\}/g, (place, name: string) =>
      Object.hasOwn(values, name) ? String(values[name]) : place,
    );
  };
}
