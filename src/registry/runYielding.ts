import type { Chunked } from "../core/text/chunked";

/** Does the work and lets the event loop run at each pause. */
export async function runYielding<Value>(work: Chunked<Value>): Promise<Value> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await new Promise(setImmediate);
  }
}
