import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { EntityCache } from "../../../../src/registry/routes/publicReader";

const entity = (length: number) => ({ etag: '"a"', bytes: Buffer.alloc(length) });

describe("EntityCache", () => {
  it("drops the oldest beyond its number", () => {
    const cache = new EntityCache(2, 1000);
    for (const path of ["/a", "/b", "/c"]) cache.set(path, entity(1));
    assert.deepEqual(
      ["/a", "/b", "/c"].map((path) => cache.get(path) !== undefined),
      [false, true, true],
    );
  });

  it("drops the oldest beyond its size", () => {
    const cache = new EntityCache(100, 10);
    cache.set("/a", entity(4));
    cache.set("/b", entity(4));
    cache.set("/c", entity(5));
    assert.deepEqual(
      ["/a", "/b", "/c"].map((path) => cache.get(path) !== undefined),
      [false, true, true],
    );
  });

  it("counts a replaced entry once", () => {
    const cache = new EntityCache(100, 10);
    cache.set("/a", entity(2));
    for (let round = 0; round < 20; round += 1) cache.set("/b", entity(8));
    assert.ok(cache.get("/a"));
  });

  it("skips an entry larger than itself, and removes the older one", () => {
    const cache = new EntityCache(100, 10);
    cache.set("/a", entity(2));
    cache.set("/a", entity(11));
    assert.equal(cache.get("/a"), undefined);
  });
});
