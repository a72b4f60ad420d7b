import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { sliceLength } from "../../../src/core/text/chunked";
import { sha256, sha256Async } from "../../../src/engine/sha256";

describe("an asynchronous digest", () => {
  const texts = ["", "ä", "x".repeat(sliceLength), `x${"😀".repeat(sliceLength)}`, "\ud800"];
  for (const text of texts) {
    it(`equals the synchronous one of ${text.length} characters, as ${JSON.stringify(text.slice(0, 2))}`, async () => {
      assert.equal(await sha256Async(text), sha256(text));
    });
  }

  it("yields after each slice of a long text, and is immediate for a short one", async () => {
    const turnsDuring = async (text: string) => {
      let turns = 0;
      let isOver = false;
      const count = () => {
        turns += 1;
        if (!isOver) setImmediate(count);
      };
      setImmediate(count);
      await sha256Async(text);
      isOver = true;
      return turns;
    };
    assert.equal(await turnsDuring("x".repeat(sliceLength)), 0);
    assert.ok((await turnsDuring("x".repeat(10 * sliceLength))) >= 9);
  });
});
