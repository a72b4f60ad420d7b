import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { readRememberedBindings } from "../../../src/core/payloadBinding";

describe("remembered bindings", () => {
  it("read as they were written", () => {
    const kept = [
      ["file:///a.json", { slug: "text-stats", version: "1.0.0" }],
      ["file:///b.json", { slug: "json-diff" }],
      ["file:///c.skill-input.json", "unbound"],
    ] as const;
    assert.deepEqual([...readRememberedBindings(JSON.parse(JSON.stringify(kept)))], kept);
  });

  const damaged: readonly unknown[] = [
    undefined,
    "text",
    [["file:///a.json"]],
    [[5, { slug: "text-stats" }]],
    [["file:///a.json", { slug: "../up" }]],
    [["file:///a.json", "bound"]],
    [null],
  ];
  for (const value of damaged) {
    it(`leave out what is damaged: ${JSON.stringify(value)}`, () => {
      assert.equal(readRememberedBindings(value).size, 0);
    });
  }
});
