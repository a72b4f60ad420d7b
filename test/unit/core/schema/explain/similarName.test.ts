import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { similarName } from "../../../../../src/core/schema/explain/similarName";

describe("similarName", () => {
  const known = ["name", "firstName", "e-mail", "id", "maxResults"];
  const cases: [name: string, meant: string | undefined][] = [
    ["nmae", "name"],
    ["Name", "name"],
    ["first_name", "firstName"],
    ["fristName", "firstName"],
    ["email", "e-mail"],
    ["max-result", "maxResults"],
    ["ids", "id"],
    ["ip", undefined],
    ["nam", "name"],
    ["na", undefined],
    ["x", undefined],
    ["unrelated", undefined],
    ["", undefined],
    ["n".repeat(1000), undefined],
  ];
  for (const [name, meant] of cases) {
    it(`resolves ${name.slice(0, 20) || "nothing"} to ${meant ?? "no other"}`, () =>
      assert.equal(similarName(name, known), meant));
  }
});
