import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { isMultipleOf } from "../../../../../src/core/schema/evaluate/evaluateScalar";

describe("isMultipleOf", () => {
  const cases: [value: number, divisor: number, expected: boolean][] = [
    [0, 7, true],
    [-0, 0.1, true],
    [-6, 3, true],
    [7, 2, false],
    [0.3, 0.1, true],
    [4.02, 0.01, true],
    [0.0075, 0.0001, true],
    [0.00751, 0.0001, false],
    [1.1e-300, 1e-301, true],
    [1e308, 0.123456789, false],
    [1e308, 0.5, true],
    [12391239123, 1e-8, true],
    [9007199254740992, 3, false],
    [5e-324, 5e-324, true],
    [Number.POSITIVE_INFINITY, 2, true],
  ];
  for (const [value, divisor, expected] of cases) {
    it(`finds ${value} to be ${expected ? "a" : "no"} multiple of ${divisor}`, () => {
      assert.equal(isMultipleOf(value, divisor), expected);
    });
  }
});
