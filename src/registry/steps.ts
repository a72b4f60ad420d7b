/** Work that can pause: each `yield` is a place where others may have their turn. */
export type Steps<Value> = Generator<void, Value, void>;

/** Does the work in one go. */
export function allAtOnce<Value>(steps: Steps<Value>): Value {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Does the work so that whatever else has come in is dealt with at each pause. */
export async function inTurns<Value>(steps: Steps<Value>): Promise<Value> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await new Promise(setImmediate);
  }
}
