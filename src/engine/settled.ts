/**
 * Waits until work has settled, or `graceMs` have passed since the signal fired; the work then continues in
 * the background.
 */
export function settled(work: Promise<unknown>, signal: AbortSignal, graceMs = 0): Promise<void> {
  return new Promise((resolve) => {
    let grace: ReturnType<typeof setTimeout> | undefined;
    const end = () => {
      clearTimeout(grace);
      signal.removeEventListener("abort", giveUp);
      resolve();
    };
    const giveUp = () => {
      grace = setTimeout(end, graceMs);
    };
    work.then(end, end);
    if (signal.aborted) giveUp();
    else signal.addEventListener("abort", giveUp, { once: true });
  });
}

/** Waits for work to end, no longer than `graceMs` once the signal fired. Rejects if the work does before. */
export function orAbort(work: Promise<void>, signal: AbortSignal, graceMs: number): Promise<void> {
  return Promise.race([work, settled(work, signal, graceMs)]);
}
