import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  holdFor,
  noteAccepted,
  noteRefused,
  noteSent,
  type RateClock,
  readRateClock,
} from "../../../../../src/core/invocation/limits/rateClock";

const registry = "https://registry.example.com";
const start = 1_763_634_151_000;
const hold = (clock: RateClock, now: number, slug = "s") => holdFor(clock, registry, slug, now);
const sent = (clock: RateClock, now: number) => noteSent(clock, registry, "s", now);
const refused = (clock: RateClock, seconds: number, now: number, limit?: number) =>
  noteRefused(clock, registry, "s", limit === undefined ? { seconds } : { seconds, limit }, now);

describe("the rate clock", () => {
  it("holds nothing that was never refused", () => {
    let clock: RateClock = [];
    for (let call = 0; call < 500; call += 1) clock = sent(clock, start + call);
    assert.equal(hold(clock, start + 500), 0);
  });

  it("holds for as long as was asked, never shorter, and then no longer", () => {
    const clock = refused(sent([], start), 42, start + 1000);
    assert.equal(hold(clock, start + 1000), 42_000);
    assert.equal(hold(clock, start + 42_999), 1);
    assert.equal(hold(clock, start + 43_000), 0);
  });

  it("holds one skill of one registry alone", () => {
    const clock = refused([], 42, start);
    assert.equal(hold(clock, start, "other"), 0);
    assert.equal(holdFor(clock, "https://other.example.com", "s", start), 0);
  });

  it("knows the limit after a refusal, and holds before the next one", () => {
    let clock = refused(sent([], start), 60, start, 3);
    const later = start + 120_000;
    for (const at of [0, 10_000, 20_000]) {
      assert.equal(hold(clock, later + at), 0);
      clock = sent(clock, later + at);
    }
    assert.equal(hold(clock, later + 20_000), 40_000);
    assert.equal(hold(clock, later + 60_000), 0);
  });

  it("counts refused calls as well", () => {
    let clock = refused([], 0, start, 2);
    clock = sent(sent(clock, start), start + 1);
    assert.ok(hold(clock, start + 2) > 0);
  });

  it("forgets the wait when the registry takes a call before", () => {
    const clock = noteAccepted(refused([], 3600, start), registry, "s", start + 1);
    assert.equal(hold(clock, start + 1), 0);
  });

  it("starts the wait anew where the machine's clock was set back, and never waits longer than asked", () => {
    const clock = refused(sent([], start), 42, start, 1);
    assert.equal(hold(clock, start - 86_400_000), 42_000);
    assert.ok(hold(clock, start - 1000) <= 60_000);
  });

  it("ends the wait where the clock was set forward, which the registry then decides", () => {
    assert.equal(hold(refused([], 42, start), start + 86_400_000), 0);
  });

  it("stays small", () => {
    let clock: RateClock = [];
    for (let index = 0; index < 300; index += 1) {
      for (let call = 0; call < 3; call += 1) clock = noteSent(clock, registry, `s${index}`, start);
    }
    for (let call = 0; call < 500; call += 1) clock = sent(clock, start);
    assert.ok(JSON.stringify(clock).length < 60_000);
    assert.equal(clock.length, 200);
  });

  it("survives being written and read; what is damaged is left out", () => {
    const clock = refused(sent([], start), 42, start, 3);
    const damaged = [null, 5, { registry }, { registry, skillSlug: "s", calls: ["x"] }];
    const far = { registry, skillSlug: "s", calls: [], holdMs: null };
    assert.deepEqual(readRateClock(JSON.parse(JSON.stringify([...damaged, far, ...clock]))), clock);
    assert.deepEqual(readRateClock({}), []);
  });
});
