import type { Chunked } from "../core/text/chunked";

/*
 * Timers, pauses, timeouts and yields that need no editor. `src/host/ui/wait.ts` shares results between callers.
 */

/** The longest delay of a Node.js timer; a longer one fires at once. */
const longestMs = 2_147_483_647;

/** A timer that its owner disposes. Starting it again replaces the pending work. Does not keep the process alive. */
export class Timer {
  private running: NodeJS.Timeout | undefined;

  /** Whether work is pending. */
  get isRunning(): boolean {
    return this.running !== undefined;
  }

  /** Runs the work once after this many milliseconds, or sooner if that exceeds the longest delay of a timer. */
  after(milliseconds: number, work: () => unknown): void {
    this.dispose();
    this.running = setTimeout(
      () => {
        this.running = undefined;
        work();
      },
      Math.min(milliseconds, longestMs),
    ).unref();
  }

  /** Runs the work repeatedly, at this interval in milliseconds. */
  every(milliseconds: number, work: () => unknown): void {
    this.dispose();
    this.running = setInterval(work, milliseconds).unref();
  }

  /** Cancels the pending work. */
  dispose(): void {
    clearTimeout(this.running);
    this.running = undefined;
  }
}

/** Waits this many milliseconds, or until the signal fires. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, signal?.aborted === true ? 0 : milliseconds);
    signal?.addEventListener("abort", end, { once: true });
  });
}

/** A timeout counts this many ticks instead of the clock: while the event loop is blocked, at most one tick passes. */
const partsOfWait = 10;

/**
 * Waits at most this many milliseconds for work, then resolves to undefined; the work continues in the background. The
 * time of a blocked event loop, such as while a window opens on a busy machine, does not count. Rejects if the work
 * rejects first.
 */
export function within<Value>(
  work: Promise<Value>,
  milliseconds: number,
): Promise<Value | undefined> {
  const timeout = new AbortController();
  let remainingParts = partsOfWait;
  const ticking = setInterval(() => {
    remainingParts -= 1;
    if (remainingParts === 0) timeout.abort();
  }, milliseconds / partsOfWait);
  return orAbort(work, timeout.signal).finally(() => clearInterval(ticking));
}

/**
 * Processes items one after another with a pause after each, for at most this many milliseconds, counted as in
 * `within`. Resolves to the results so far, in the order of the items. Work in progress then continues in the
 * background, and no other item starts. Rejects if the work rejects first.
 */
export async function doneWithin<Item, Value>(
  items: readonly Item[],
  work: (item: Item) => Promise<Value>,
  milliseconds: number,
): Promise<readonly Value[]> {
  const done: Value[] = [];
  let isOver = false;
  const doAll = async () => {
    for (const item of items) {
      const value = await work(item);
      if (isOver) return;
      done.push(value);
      await yieldToEventLoop();
      if (isOver) return;
    }
  };
  await within(doAll(), milliseconds);
  isOver = true;
  return done;
}

/**
 * Waits for work. After the signal fires, waits at most `graceMs` more, then resolves to undefined; the work continues
 * in the background. Rejects if the work rejects first.
 */
export function orAbort<Value>(
  work: Promise<Value>,
  signal: AbortSignal,
  graceMs = 0,
): Promise<Value | undefined> {
  return Promise.race([work, settled(work, signal, graceMs).then(() => undefined)]);
}

/** Waits like `orAbort`, but never rejects. */
export function settled(work: Promise<unknown>, signal: AbortSignal, graceMs = 0): Promise<void> {
  return new Promise((resolve) => {
    let grace: NodeJS.Timeout | undefined;
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

/** Yields to the event loop, so that pending work runs. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Runs chunked work and yields to the event loop at each pause. */
export async function runYielding<Value>(work: Chunked<Value>): Promise<Value> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await yieldToEventLoop();
  }
}
