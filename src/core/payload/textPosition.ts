/** A position in a text: line and character, both counted from 0. */
export interface TextPosition {
  readonly line: number;
  readonly character: number;
}

/** Lists the offsets at which the lines of a text start. Lines end as they do in the editor. */
export function lineStartsOf(text: string): readonly number[] {
  const starts = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/g)) starts.push(index + end.length);
  return starts;
}

/** Answers the line and character, both counted from 0, of an offset in a text with these lines. */
export function positionIn(lineStarts: readonly number[], offset: number): TextPosition {
  let [low, high] = [0, lineStarts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((lineStarts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low, character: offset - (lineStarts[low] ?? 0) };
}
