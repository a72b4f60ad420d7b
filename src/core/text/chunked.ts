/** Work in chunks of a few milliseconds. Other work may run at each `yield`. */
export type Chunked<Value> = Generator<void, Value, void>;

/** Does all of the work without a pause. */
export function runSync<Value>(work: Chunked<Value>): Value {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** The number of characters that are processed in a few milliseconds. */
export const sliceLength = 500_000;

/** Cuts a text into slices of about `length` characters, never inside a surrogate pair. `length` is at least 2. */
export function* textSlices(text: string, length = sliceLength): Generator<string, void> {
  for (let start = 0; start < text.length; ) {
    const end = characterStart(text, Math.min(start + length, text.length));
    yield text.slice(start, end);
    start = end;
  }
}

/** Moves an offset out of the middle of a surrogate pair; any other offset stays as it is. */
export function characterStart(text: string, at: number): number {
  const isBetween = at > 0 && text.codePointAt(at - 1) !== text.charCodeAt(at - 1);
  return isBetween && at < text.length ? at - 1 : at;
}
