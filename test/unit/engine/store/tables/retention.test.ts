import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { Retention } from "../../../../../src/engine/store/tables/retention";
import type { Statements } from "../../../../../src/engine/store/tables/statements";

describe("the choice of records to remove", () => {
  it("looks for its boundary once, and again after there was nothing more to remove", () => {
    let [asked, left] = [0, 250];
    const sql = {
      row: (query: string) => {
        if (query.includes("IS NOT NULL")) return undefined;
        asked += 1;
        return { id: "z" };
      },
      rows: () => {
        const count = Math.min(left, 100);
        left -= count;
        return Array.from({ length: count }, (_, at) => ({ id: `${left + at}`, facts: "{}" }));
      },
    } as unknown as Statements;
    const retention = new Retention(sql);
    const settings = { maxEntries: 5, maxDays: 0 };
    const removed = [1, 2, 3, 4].map(() => retention.expired(settings, 0).length);
    assert.deepEqual([removed, asked], [[100, 100, 50, 0], 2]);
  });
});
