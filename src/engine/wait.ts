import { setTimeout as passed } from "node:timers/promises";

/** A timer of its owner, with which it ends: to start it again replaces what it waited for. Keeps no program running. */
export class Timer {
  private running: NodeJS.Timeout | undefined;

  /** Whether what was started is still to come. */
  get isRunning(): boolean {
    return this.running !== undefined;
  }

  /** Does the work once, after so many milliseconds. */
  after(milliseconds: number, work: () => unknown): void {
    clearTimeout(this.running);
    this.running = setTimeout(() => {
      this.running = undefined;
      work();
    }, milliseconds).unref();
  }

  /** Does the work again and again, so many milliseconds apart. */
  every(milliseconds: number, work: () => unknown): void {
    clearTimeout(this.running);
    this.running = setInterval(work, milliseconds).unref();
  }

  /** Ends it before its time. */
  dispose(): void {
    clearTimeout(this.running);
    this.running = undefined;
  }
}

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

/** Waits so many milliseconds, or until the signal fires. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return passed(milliseconds, undefined, signal && { signal }).catch(() => undefined);
}
