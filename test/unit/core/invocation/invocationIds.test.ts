import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { idsInLine } from "../../../../src/core/invocation/invocationIds";

const uuid = "0b5e0f3a-9d1c-4c5e-8a43-2f0d6f6f2b11";
const record = "01764178000123-1a2b3c4d-5e6f";

describe("the invocation IDs in a line of a terminal", () => {
  for (const [line, ids] of [
    [`text-stats: success, 84 ms, invocation ID ${uuid}`, [uuid]],
    ["Invocation ID: inv_42-a.", ["inv_42-a"]],
    [`2026-11-26 10:00  text-stats@1.0.0  success  ${record}`, [record]],
    ["success  0b5e0f3a-9d1c-…", ["0b5e0f3a-9d1c-…"]],
    [`first ${uuid}, then ${record}`, [uuid, record]],
    ["npm install 12345678 and deadbeef", []],
    [`${uuid} `.repeat(9), [uuid, uuid, uuid, uuid, uuid]],
  ] as const) {
    it(`are ${ids.join(" and ") || "none"} in “${line.slice(0, 60)}”`, () => {
      const found = idsInLine(line);
      assert.deepEqual(
        found.map(({ id }) => id),
        ids,
      );
      for (const { id, start, end } of found) assert.equal(line.slice(start, end), id);
    });
  }
});
