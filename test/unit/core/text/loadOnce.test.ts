import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { loadOnce } from "../../../../src/core/text/loadOnce";

describe("loadOnce", () => {
  it("loads once for all calls, and again only after a failure", async () => {
    let tries = 0;
    const get = loadOnce(async () => {
      tries += 1;
      if (tries === 1) throw new Error("gone");
      return tries;
    });
    const both = await Promise.allSettled([get(), get()]);
    assert.deepEqual(
      both.map(({ status }) => status),
      ["rejected", "rejected"],
    );
    assert.deepEqual(await Promise.all([get(), get()]), [2, 2]);
    assert.equal(await get(), 2);
  });
});
