import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { loadedOnce } from "../../../src/host/loadedOnce";

describe("what is loaded once", () => {
  it("is loaded again after a failure, and remembered after that", async () => {
    let loads = 0;
    const get = loadedOnce(async () => {
      loads += 1;
      if (loads === 1) throw new Error("The file is not there yet.");
      return loads;
    });
    await assert.rejects(Promise.all([get(), get()]));
    assert.equal(loads, 1);
    assert.deepEqual([await get(), await get()], [2, 2]);
  });
});
