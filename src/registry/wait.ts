import type { Chunked } from "../core/text/chunked";

/*
 * The ways to wait, for all but the window: later, for so long, no longer than, until nobody waits any more, and while
 * other work of the program runs.
 */

/** Node.js takes a longer time for none. */
const longestMs = 2_147_483_647;

/** A timer of its owner, with which it ends: to start it again replaces what it waited for. Keeps no program running. */
export class Timer {
  private running: NodeJS.Timeout | undefined;

  /** Whether what was started is still to come. */
  get isRunning(): boolean {
    return this.running !== undefined;
  }

  /** Does the work once, after so many milliseconds; early, where no timer can wait for so long. */
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

  /** Does the work again and again, so many milliseconds apart. */
  every(milliseconds: number, work: () => unknown): void {
    this.dispose();
    this.running = setInterval(work, milliseconds).unref();
  }

  /** Ends it before its time. */
  dispose(): void {
    clearTimeout(this.running);
    this.running = undefined;
  }
}

/** Waits so many milliseconds, or until the signal fires. */
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

/** Count ten short timers, so that a blocked event loop costs at most one of them. */
const partsOfWait = 10;

/**
 * Waits for work no longer than so many milliseconds, and resolves to undefined then; the work continues in the
 * background. Time in which this process was blocked, as while a window opens on a busy machine, does not count.
 * Rejects if the work does before.
 */
export function within<Value>(
  work: Promise<Value>,
  milliseconds: number,
): Promise<Value | undefined> {
  const over = new AbortController();
  let left = partsOfWait;
  const ticking = setInterval(() => {
    left -= 1;
    if (left === 0) over.abort();
  }, milliseconds / partsOfWait);
  return orAbort(work, over.signal).finally(() => clearInterval(ticking));
}

/**
 * Does the work for one item after another, with a pause after each, no longer than so many milliseconds as `within` counts
 * them. Resolves to what is done by then, in the order of the items; the work for one continues in the background, and
 * none begins after it. Rejects if the work does before.
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
      await otherWork();
      if (isOver) return;
    }
  };
  await within(doAll(), milliseconds);
  isOver = true;
  return done;
}

/**
 * Waits for work no longer than `graceMs` once the signal fired, and resolves to undefined then; the work continues in
 * the background. Rejects if the work does before.
 */
export function orAbort<Value>(
  work: Promise<Value>,
  signal: AbortSignal,
  graceMs = 0,
): Promise<Value | undefined> {
  return Promise.race([work, settled(work, signal, graceMs).then(() => undefined)]);
}

/** Waits as `orAbort` does, whatever becomes of the work. Never rejects. */
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

/** Lets all run that the program has to do meanwhile. */
export function otherWork(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Does the work and lets other work run at each pause. */
export async function runYielding<Value>(work: Chunked<Value>): Promise<Value> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await otherWork();
  }
}
