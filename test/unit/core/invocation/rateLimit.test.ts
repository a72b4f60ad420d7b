import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  noteAccepted,
  noteRefused,
  noteSent,
  type RateClock,
  readRateClock,
  waitMs,
} from "../../../../src/core/invocation/rateLimit";

const registry = "https://registry.example.com";
const start = 1_763_634_151_000;
const scope = { registry, project: "p", skillSlug: "s" };
const hold = (clock: RateClock, now: number, other = {}) =>
  waitMs(clock, { ...scope, ...other }, now);
const sent = (clock: RateClock, now: number) => noteSent(clock, scope, now);
const refused = (clock: RateClock, seconds: number | undefined, now: number, limit?: number) =>
  noteRefused(clock, scope, { seconds, limit }, now);

describe("the rate limit", () => {
  it("holds nothing without a rejection", () => {
    let clock: RateClock = [];
    for (let call = 0; call < 500; call += 1) clock = sent(clock, start + call);
    assert.equal(hold(clock, start + 500), 0);
  });

  it("holds exactly as long as the registry asked", () => {
    const clock = refused(sent([], start), 42, start + 1000);
    assert.equal(hold(clock, start + 1000), 42_000);
    assert.equal(hold(clock, start + 42_999), 1);
    assert.equal(hold(clock, start + 43_000), 0);
  });

  it("holds only one skill of one project at one registry", () => {
    const clock = refused([], 42, start);
    assert.equal(hold(clock, start, { skillSlug: "other" }), 0);
    assert.equal(hold(clock, start, { registry: "https://other.example.com" }), 0);
    assert.equal(hold(clock, start, { project: "other" }), 0);
  });

  it("computes the wait from recorded invocations if a rejection names only its limit", () => {
    let clock: RateClock = [];
    for (const at of [0, 5_000, 15_000]) clock = sent(clock, start + at);
    clock = refused(clock, undefined, start + 15_000, 2);
    assert.equal(hold(clock, start + 15_000), 50_000);
    assert.equal(hold(clock, start + 65_000), 0);
  });

  it("holds a whole window if others of the project invoked too", () => {
    const clock = refused(sent([], start), undefined, start, 2);
    assert.equal(hold(clock, start), 60_000);
    assert.equal(hold(refused(sent([], start), undefined, start), start), 60_000);
  });

  it("remembers the limit after a rejection, and holds before the next one", () => {
    let clock = refused(sent([], start), 60, start, 3);
    const later = start + 120_000;
    for (const at of [0, 10_000, 20_000]) {
      assert.equal(hold(clock, later + at), 0);
      clock = sent(clock, later + at);
    }
    assert.equal(hold(clock, later + 20_000), 40_000);
    assert.equal(hold(clock, later + 60_000), 0);
  });

  it("counts rejected invocations too", () => {
    let clock = refused([], 0, start, 2);
    clock = sent(sent(clock, start), start + 1);
    assert.ok(hold(clock, start + 2) > 0);
  });

  it("forgets the wait when the registry accepts an invocation earlier", () => {
    const clock = noteAccepted(refused([], 3600, start), scope, start + 1);
    assert.equal(hold(clock, start + 1), 0);
  });

  it("ignores entries from while the clock ran ahead", () => {
    let clock = refused([], 86_400, start, 1);
    for (let call = 0; call < 100; call += 1) clock = sent(clock, start);
    assert.equal(hold(clock, start - 86_400_000), 0);
    assert.equal(hold(sent(clock, start - 86_400_000), start - 86_400_000 + 60_000), 0);
    assert.ok(hold(clock, start - 1000) > 0);
  });

  it("ends the wait after the clock was set forward, and the registry then decides", () => {
    assert.equal(hold(refused([], 42, start), start + 86_400_000), 0);
  });

  it("stores a limited number of entries", () => {
    let clock: RateClock = [];
    for (let index = 0; index < 300; index += 1) {
      for (let call = 0; call < 3; call += 1)
        clock = noteSent(clock, { ...scope, skillSlug: `s${index}` }, start);
    }
    for (let call = 0; call < 500; call += 1) clock = sent(clock, start);
    assert.ok(JSON.stringify(clock).length < 70_000);
    assert.equal(clock.length, 200);
  });

  it("survives writing and reading; damaged entries are left out", () => {
    const clock = refused(sent([], start), 42, start, 3);
    const damaged = [null, 5, { registry }, { ...scope, calls: ["x"] }];
    const far = { ...scope, calls: [], holdMs: null };
    assert.deepEqual(readRateClock(JSON.parse(JSON.stringify([...damaged, far, ...clock]))), clock);
    assert.deepEqual(readRateClock({}), []);
  });
});
