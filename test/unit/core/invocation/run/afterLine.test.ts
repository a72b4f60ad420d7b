import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { InvocationOutcome } from "../../../../../src/core/invocation/invocation";
import {
  afterLine,
  emptyJournal,
  type JournalState,
  mayExceed,
  mustBeSent,
} from "../../../../../src/core/invocation/run/runJournal";

const outcome = (kind: string, reason?: string) =>
  ({ kind, ...(reason && { reason, failure: { kind: reason } }) }) as unknown as InvocationOutcome;

describe("the decision after a line", () => {
  const ends: readonly (readonly [InvocationOutcome, ReturnType<typeof afterLine>])[] = [
    [outcome("success"), "ended"],
    [outcome("skillError"), "ended"],
    [outcome("outcomeUnknown"), "ended"],
    [outcome("notSent", "unreachable"), "stop"],
    [outcome("notSent", "outdated"), "hold"],
    [outcome("refused", "rateLimit"), "hold"],
    [outcome("refused", "validation"), "ended"],
    [outcome("refused", "tooLarge"), "ended"],
    [outcome("refused", "registryError"), "ended"],
    [outcome("refused", "policy"), "stop"],
    [outcome("refused", "invalidKey"), "stop"],
  ];
  for (const [one, end] of ends) {
    it(`${JSON.stringify(one)} is followed by: ${end}`, () => assert.equal(afterLine(one), end));
  }

  it("counts an unknown outcome at its price, and stops before a limit", () => {
    const price = { kind: "amount", cents: 3, currency: "USD" } as const;
    const counts = {
      success: 2,
      failed: 0,
      unknown: 1,
      cents: { USD: 6 },
      expected: { USD: 3 },
      unpriced: 0,
    };
    const state: JournalState = { ...emptyJournal, lastLine: 3, counts };
    assert.equal(mayExceed(state, price, 12), false);
    assert.equal(mayExceed(state, price, 11), true);
    const open = new Map([
      [3, { digest: "", expected: { cents: 3, currency: "USD" }, isAgain: false }],
    ]);
    assert.equal(mayExceed({ ...state, open }, price, 12), true);
    assert.equal(mayExceed(state, price, 14, 1), true);
    assert.equal(mayExceed(state, price, 15, 1), false);
    assert.equal(mayExceed(state, undefined, 1_000_000), true);
    assert.equal(mayExceed(state, { cents: 0, currency: "" }, 9), false);
    assert.equal(mayExceed(state, price, undefined), false);
    const mixed = { ...state, counts: { ...counts, cents: { EUR: 6 } } };
    assert.equal(mayExceed(mixed, price, 1_000_000), true);
  });

  it("ignores lines after the journal, and lines that did not run", () => {
    const state = { lastLine: 3, notRun: new Set([2]) };
    assert.deepEqual(
      [1, 2, 3, 4].map((line) => mustBeSent(line, state)),
      [false, true, false, true],
    );
  });
});
