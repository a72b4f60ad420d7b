import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { StoreCalls } from "../../../../../src/engine/store/thread/storeCalls";

describe("the calls of a store", () => {
  for (const [way, send] of [
    ["throws", () => assert.fail("no store")],
    ["rejects", () => Promise.reject(new Error("no store"))],
  ] as const) {
    it(`reject and do not wait if sending ${way}`, async () => {
      const calls = new StoreCalls(() => undefined);
      await assert.rejects(calls.call("extent", [], send), /no store/);
      assert.equal(calls.count, 0);
    });
  }
});
