import type { PageMessage } from "../src/protocol/skillPage";

/** What every part of the page is handed: the reader's language and the way to the host. */
export interface PageContext {
  /** Says one of the page's own texts in the reader's language; `{name}` stands for a value. */
  readonly say: (text: string, values?: Readonly<Record<string, string | number>>) => string;
  readonly send: (message: PageMessage) => void;
}

/** Makes the context. `words` maps English texts to the reader's language; a missing one stays English. */
export function pageContext(
  words: Readonly<Record<string, string>>,
  send: (message: PageMessage) => void,
): PageContext {
  return {
    say: (text, values = {}) => {
      const known = Object.hasOwn(words, text) ? words[text] : undefined;
      return (known ?? text).replace(/\{(\w+)\}/g, (place, name: string) =>
        Object.hasOwn(values, name) ? String(values[name]) : place,
      );
    },
    send,
  };
}
