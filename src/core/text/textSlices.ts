import { characterStart } from "./characterStart";

/** What is done with so many characters takes some milliseconds: nobody feels it. */
export const sliceLength = 500_000;

/** Cuts a text into slices of about `length` characters, at least two, and never through a character. */
export function* textSlices(text: string, length = sliceLength): Generator<string, void> {
  for (let start = 0; start < text.length; ) {
    const end = characterStart(text, Math.min(start + length, text.length));
    yield text.slice(start, end);
    start = end;
  }
}
