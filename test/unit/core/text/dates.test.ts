import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { localDay, utcDay } from "../../../../src/core/text/dates";

describe("the day of a time", () => {
  for (const [time, day] of [
    ["2026-11-20T00:00:00Z", "2026-11-20"],
    ["2026-11-20T23:59:59.999Z", "2026-11-20"],
    ["2026-11-20T23:30:00-01:00", "2026-11-21"],
  ] as const) {
    it(`is by UTC: ${time}`, () => assert.equal(utcDay(Date.parse(time)), day));
  }

  for (const [time, day] of [
    [new Date(2026, 0, 2, 0, 0), "2026-01-02"],
    [new Date(2026, 0, 2, 23, 59), "2026-01-02"],
    [new Date(2026, 11, 31, 12), "2026-12-31"],
  ] as const) {
    it(`is where the user is: ${day}`, () => assert.equal(localDay(time.getTime()), day));
  }
});
