import type { Chunked } from "../core/text/chunked";

/** Does the work so that whatever else has come in is dealt with at each pause. */
export async function runYielding<Value>(work: Chunked<Value>): Promise<Value> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await new Promise(setImmediate);
  }
}
