import assert from "node:assert/strict";
import { mock } from "node:test";
import { after, before, describe, it } from "mocha";
import { runScreen } from "../../../../../src/cli/commands/run/runScreen";
import { statusLine } from "../../../../../src/cli/output/statusLine";
import type { Terminal } from "../../../../../src/cli/terminal";
import { emptyJournal } from "../../../../../src/core/invocation/run/runJournal";
import { mockTimeouts } from "../../../../fixtures/mockTimeouts";

describe("the progress bar of a run", () => {
  const { now } = performance;
  let milliseconds = 0;
  const pass = (count: number) => {
    for (const end = milliseconds + count; milliseconds < end; ) {
      milliseconds += 100;
      mock.timers.tick(100);
    }
  };
  before(() => {
    mockTimeouts();
    performance.now = () => milliseconds;
  });
  after(() => {
    mock.timers.reset();
    performance.now = now;
  });

  it("counts down a wait for the rate limit while that lasts", () => {
    const shown: string[] = [];
    const show = (text: string) => shown.push(text.replace(/^\[.*\] /, ""));
    const bar = runScreen(
      4,
      { show, print: () => undefined, clear: () => undefined, end: () => undefined },
      { state: () => emptyJournal },
    );
    bar.waits(3);
    // Another line waits for a shorter time.
    bar.waits(1);
    pass(1000);
    bar.done(1);
    pass(1000);
    pass(1000);
    pass(5000);
    bar.waits(2);
    bar.close();
    pass(1000);
    assert.deepEqual(shown, [
      "0/4, rate limit: 3 seconds",
      "0/4, rate limit: 3 seconds",
      "0/4, rate limit: 2 seconds",
      "1/4, rate limit: 2 seconds, 1/s, 3 s left",
      "1/4, rate limit: 1 second, 1/s, 3 s left",
      "1/4, 1/s, 3 s left",
      "1/4, rate limit: 2 seconds, 1/s, 3 s left",
    ]);
  });

  it("estimates no end before the rate limit allows it", () => {
    const shown: string[] = [];
    const show = (text: string) => shown.push(text.replace(/^\[.*\] /, ""));
    const bar = runScreen(
      40,
      { show, print: () => undefined, clear: () => undefined, end: () => undefined },
      { state: () => emptyJournal },
      20,
    );
    pass(4000);
    bar.done(20);
    pass(57_000);
    bar.done(40);
    bar.close();
    assert.deepEqual(shown, ["20/40, 5/s, 56 s left", "40/40, 39/min, 0 s left"]);
  });

  it("is never wider than the terminal", () => {
    let written = "";
    const err = (text: string) => {
      written += text;
    };
    const terminal = { err, draw: err, errColumns: 20 } as unknown as Terminal;
    statusLine(terminal).show("x".repeat(30));
    assert.equal(written, `\r${"x".repeat(18)}…`);
  });
});
