/** Work in chunks of a few milliseconds: each `yield` is a place where others may have their turn. */
export type Chunked<Value> = Generator<void, Value, void>;

/** Does all of the work without a pause. */
export function runSync<Value>(work: Chunked<Value>): Value {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
