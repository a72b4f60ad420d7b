import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { lineStartsOf, positionIn, positionsIn } from "../../../../src/core/payload/payloadCheck";

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
    it(`are ${line}:${character} for the offset ${offset}`, () => {
      assert.deepEqual(positionIn(lineStartsOf(text), offset), { line, character });
    });
  }

  it("are two for a range over several lines", () => {
    assert.deepEqual(positionsIn(lineStartsOf(text), { start: 1, end: 9 }), {
      start: { line: 0, character: 1 },
      end: { line: 3, character: 1 },
    });
  });
});
