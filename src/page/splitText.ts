/** A text in two: what is shown at first, and the rest, which is empty where all of it fits. */
export interface SplitText {
  readonly start: string;
  readonly rest: string;
}

/** Splits a long text after so many characters or lines, at the end of a line or a word where there is one. */
export function splitText(
  text: string,
  { characters, lines }: { readonly characters: number; readonly lines: number },
): SplitText {
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
  const room = Math.min(characters, ends[lines - 1] ?? text.length);
  // A few more characters are no reason to hide them.
  if (text.length <= room || (ends.length < lines && text.length <= characters * 1.2)) {
    return { start: text, rest: "" };
  }
  const gap = text.slice(0, room + 1).search(/\s\S*$/);
  const at = gap > room / 2 ? gap : room;
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(at - 1));
  const end = isHalf ? at - 1 : at;
  return { start: text.slice(0, end).trimEnd(), rest: text.slice(end).trim() };
}
