import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { withoutValues } from "../../../../src/core/json/jsonPointer";

describe("withoutValues", () => {
  const value = { list: [1, { a: 2, b: 3 }, 4, 5], name: "x" };

  it("removes members and items, whatever the order of the paths", () => {
    assert.deepEqual(withoutValues(value, [["list", 2], ["list", 0], ["list", 1, "a"], ["name"]]), {
      list: [{ b: 3 }, 5],
    });
  });

  it("puts a value in the place of an item, so that the others keep their indexes", () => {
    assert.deepEqual(withoutValues(value, [["list", "0"], ["list", "2"], ["none"]], [null]), {
      list: [null, { a: 2, b: 3 }, null, 5],
      name: "x",
    });
  });
});
