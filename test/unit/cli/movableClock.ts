import { after, before } from "mocha";

/** A monotonic clock that can be moved on, for the tests of a suite. */
export function movableClock() {
  const { now } = performance;
  let ahead = 0;
  before(() => {
    performance.now = () => now.call(performance) + ahead;
  });
  after(() => {
    performance.now = now;
  });
  return {
    /** Moves it on by so many minutes. */
    pass: (minutes: number) => {
      ahead += minutes * 60_000;
    },
  };
}
