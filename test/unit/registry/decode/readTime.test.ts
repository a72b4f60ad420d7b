import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { readTime } from "../../../../src/registry/decode/field";

const nine = Date.UTC(2026, 10, 20, 9, 0, 7);

describe("readTime", () => {
  const cases: readonly (readonly [string | number, number | undefined])[] = [
    ["2026-11-20T09:00:07Z", nine],
    ["2026-11-20T09:00:07.924Z", nine + 924],
    ["2026-11-20 09:00:07.924444+00", nine + 924],
    ["2026-11-20 09:00:07.9+00", nine + 900],
    ["2026-11-20 11:00:07+02", nine],
    ["2026-11-20 14:30:07+0530", nine],
    ["2026-11-20T03:30:07-05:30", nine],
    ["2026-11-20 09:00:07", nine],
    ["2026-11-20T09:00", nine - 7000],
    ["2026-11-20", Date.UTC(2026, 10, 20)],
    [nine, nine],
    [nine / 1000, nine],
    ["", undefined],
    ["yesterday", undefined],
    ["2026-13-45T99:00:00Z", undefined],
    ["20 Nov 2026", undefined],
    [0, undefined],
    [-5, undefined],
    [1e300, undefined],
  ];
  for (const [value, time] of cases) {
    it(`reads ${JSON.stringify(value)}`, () => assert.equal(readTime(value), time));
  }
});
