import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { lineStartsOf, positionIn } from "../../../../src/core/payload/payloadCheck";

describe("positions in a text", () => {
  const text = "ab\ncd\r\n\re";
  const places: [offset: number, line: number, character: number][] = [
    [0, 0, 0],
    [2, 0, 2],
    [3, 1, 0],
    [5, 1, 2],
    [7, 2, 0],
    [8, 3, 0],
    [9, 3, 1],
  ];
  for (const [offset, line, character] of places) {
    it(`of offset ${offset}`, () => {
      assert.deepEqual(positionIn(lineStartsOf(text), offset), { line, character });
    });
  }
});
