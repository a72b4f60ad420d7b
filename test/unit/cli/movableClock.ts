import { after, before } from "mocha";

/**
 * A clock that can be moved on, for the tests of a suite. A wait that a command says it begins moves it too, and passes at
 * once; all other timers take their time.
 */
export function movableClock() {
  const { now } = Date;
  const { now: monotonic } = performance;
  const { setTimeout: start } = globalThis;
  let ahead = 0;
  /** The waits that were told and did not begin yet, in milliseconds. */
  const told: number[] = [];
  before(() => {
    Date.now = () => Math.floor(now() + ahead);
    performance.now = () => monotonic.call(performance) + ahead;
    globalThis.setTimeout = ((work: () => void, ms = 0, ...given: []) => {
      // Told in whole seconds, and a moment more so that the registry's clock agrees.
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
    /** Moves it on by so many minutes. */
    pass: (minutes: number) => {
      ahead += minutes * 60_000;
    },
    /** Hears what a command says. */
    hear: (text: string) => {
      for (const [, seconds] of text.matchAll(
        /^Rate limit reached\. Waiting (\d+) seconds?\.$/gm,
      )) {
        told.push(Number(seconds) * 1000);
      }
    },
  };
}
