import { after, before } from "mocha";

/**
 * Returns a clock that the tests of a suite can advance. A wait that a command reports advances it too, and ends at
 * once; all other timers run normally.
 */
export function movableClock() {
  const { now } = Date;
  const { now: monotonic } = performance;
  const { setTimeout: start } = globalThis;
  let ahead = 0;
  /** The reported waits that have not begun yet, in milliseconds. */
  const told: number[] = [];
  before(() => {
    Date.now = () => Math.floor(now() + ahead);
    performance.now = () => monotonic.call(performance) + ahead;
    globalThis.setTimeout = ((work: () => void, ms = 0, ...given: []) => {
      // The report has whole seconds; a moment more makes the registry's clock agree.
      const found = told.findIndex((wait) => Math.abs(ms - wait) < 500);
      if (found < 0) return start(work, ms, ...given);
      told.splice(found, 1);
      ahead += ms;
      return start(work, 0, ...given);
    }) as typeof setTimeout;
  });
  after(() => {
    Date.now = now;
    performance.now = monotonic;
    globalThis.setTimeout = start;
  });
  return {
    /** Advances it by this many minutes. */
    pass: (minutes: number) => {
      ahead += minutes * 60_000;
    },
    /** Reads the output of a command. */
    hear: (text: string) => {
      for (const [, seconds] of text.matchAll(
        /^Rate limit reached\. Waiting (\d+) seconds?\.$/gm,
      )) {
        told.push(Number(seconds) * 1000);
      }
    },
  };
}
