import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { InvocationOutcome } from "../../../../src/core/invocation/invocation";
import {
  afterOutcome,
  afterRefused,
  type Rate,
  waitMs,
} from "../../../../src/core/invocation/rateLimit";

const start = 1_763_634_151_000;
const none: Rate = { calls: [] };
const sent = (rate: Rate, now: number): Rate => ({ ...rate, calls: [...rate.calls, now] });
const refused = (rate: Rate, seconds: number | undefined, now: number, limit?: number) =>
  afterRefused(rate, { seconds, limit }, now);

describe("the rate limit", () => {
  it("makes no invocation wait before the first rejection", () => {
    let clock = none;
    for (let call = 0; call < 500; call += 1) clock = sent(clock, start + call);
    assert.equal(waitMs(clock, start + 500), 0);
  });

  it("makes the next invocation wait exactly as long as the registry asked", () => {
    const clock = refused(sent(none, start), 42, start + 1000);
    assert.equal(waitMs(clock, start + 1000), 42_000);
    assert.equal(waitMs(clock, start + 42_999), 1);
    assert.equal(waitMs(clock, start + 43_000), 0);
  });

  it("computes the wait from recorded invocations if a rejection names only its limit", () => {
    let clock = none;
    for (const at of [0, 5_000, 15_000]) clock = sent(clock, start + at);
    clock = refused(clock, undefined, start + 15_000, 2);
    assert.equal(waitMs(clock, start + 15_000), 50_000);
    assert.equal(waitMs(clock, start + 65_000), 0);
  });

  it("makes the next invocation wait a whole window if others of the project invoked too", () => {
    const clock = refused(sent(none, start), undefined, start, 2);
    assert.equal(waitMs(clock, start), 60_000);
    assert.equal(waitMs(refused(sent(none, start), undefined, start), start), 60_000);
  });

  it("remembers the limit after a rejection, and waits before it is reached again", () => {
    let clock = refused(sent(none, start), 60, start, 3);
    const later = start + 120_000;
    for (const at of [0, 10_000, 20_000]) {
      assert.equal(waitMs(clock, later + at), 0);
      clock = sent(clock, later + at);
    }
    assert.equal(waitMs(clock, later + 20_000), 40_000);
    assert.equal(waitMs(clock, later + 60_000), 0);
  });

  it("counts rejected invocations too", () => {
    let clock = refused(none, 0, start, 2);
    clock = sent(sent(clock, start), start + 1);
    assert.ok(waitMs(clock, start + 2) > 0);
  });

  it("forgets the wait when the registry accepts an invocation earlier", () => {
    const before = sent(refused(none, 3600, start), start + 1);
    const success: InvocationOutcome = {
      kind: "success",
      acceptedNotRun: false,
      outputText: "",
      durationMs: 1,
    };
    const clock = afterOutcome(before, success, { sentAt: start + 1, endedAt: start + 1 });
    assert.equal(waitMs(clock, start + 1), 0);
  });

  it("ignores entries from a time when the clock ran ahead", () => {
    let clock = refused(none, 86_400, start, 1);
    for (let call = 0; call < 100; call += 1) clock = sent(clock, start);
    assert.equal(waitMs(clock, start - 86_400_000), 0);
    assert.equal(waitMs(sent(clock, start - 86_400_000), start - 86_400_000 + 60_000), 0);
    assert.ok(waitMs(clock, start - 1000) > 0);
  });

  it("ends the wait if the clock was set forward; then the registry decides", () => {
    assert.equal(waitMs(refused(none, 42, start), start + 86_400_000), 0);
  });
});
