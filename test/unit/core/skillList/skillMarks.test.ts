import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { noMarks, readMarks, withMark } from "../../../../src/core/skillList/skillMarks";

/** Returns a value as storage does: a copy of plain data. */
const stored = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe("the marks of skills", () => {
  const one = { slug: "a", name: "A" };

  it("survive a restart", () => {
    const marks = withMark(noMarks, "favorites", [one], true);
    assert.deepEqual(readMarks(stored(marks)), marks);
  });

  it("are one per skill: the newer one counts", () => {
    const favorite = withMark(noMarks, "favorites", [one], true);
    const hidden = withMark(favorite, "hidden", [one], true);
    assert.deepEqual(hidden, { favorites: [], hidden: [one] });
    assert.deepEqual(withMark(hidden, "hidden", [one], false), noMarks);
  });

  it("are stored once per skill, with the newest name, a thousand at most", () => {
    let marks = withMark(noMarks, "favorites", [one], true);
    marks = withMark(marks, "favorites", [{ slug: "a", name: "B".repeat(500) }], true);
    assert.equal(marks.favorites.length, 1);
    assert.equal(marks.favorites[0]?.name.length, 200);
    for (let index = 0; index < 1005; index += 1) {
      marks = withMark(marks, "favorites", [{ slug: `s${index}`, name: "" }], true);
    }
    assert.equal(marks.favorites.length, 1000);
  });

  it("are none if something else was stored", () => {
    for (const value of [undefined, 5, [], { favorites: 5 }, { hidden: [5, null, { slug: 1 }] }]) {
      assert.deepEqual(readMarks(value), noMarks);
    }
  });
});
