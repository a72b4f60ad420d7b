import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  type Favorite,
  readFavorites,
  withFavorites,
  writeFavorites,
} from "../../../../src/core/skillList/favorites";

/** Returns a value as storage does: a copy of plain data. */
const stored = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe("favorites", () => {
  const one = { slug: "a", name: "A" };

  it("survive a restart, also from a version that stored hidden skills beside them", () => {
    const favorites = withFavorites([], [one], true);
    assert.deepEqual(readFavorites(stored(writeFavorites(favorites))), [one]);
    assert.deepEqual(readFavorites({ favorites, hidden: [{ slug: "b", name: "B" }] }), [one]);
  });

  it("are removed by their slugs", () => {
    assert.deepEqual(withFavorites([one], [{ slug: "a", name: "" }], false), []);
  });

  it("are stored once per skill, with the newest name, a thousand at most", () => {
    let favorites: readonly Favorite[] = [one];
    favorites = withFavorites(favorites, [{ slug: "a", name: "B".repeat(500) }], true);
    assert.equal(favorites.length, 1);
    assert.equal(favorites[0]?.name.length, 200);
    for (let index = 0; index < 1005; index += 1) {
      favorites = withFavorites(favorites, [{ slug: `s${index}`, name: "" }], true);
    }
    assert.equal(favorites.length, 1000);
  });

  it("are none if something else was stored", () => {
    for (const value of [
      undefined,
      5,
      [],
      { favorites: 5 },
      { favorites: [5, null, { slug: 1 }] },
    ]) {
      assert.deepEqual(readFavorites(value), []);
    }
  });
});
