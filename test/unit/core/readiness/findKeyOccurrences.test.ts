import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { findKeyOccurrences } from "../../../../src/core/readiness/readinessFacts";

describe("the readiness of a skill", () => {
  it("finds the lines of a key in files", async () => {
    const texts: Record<string, string> = { a: "KEY\na\nbKEY KEY\n\nKEY", "b/c": "nothing" };
    const read = async (name: string) => {
      if (name === "gone") throw new Error("There is no such file.");
      return texts[name];
    };
    const names = ["a", "b/c", "gone", "large"];
    const search = (searched: readonly string[]) => {
      const files = { names: searched, hasMore: false, read };
      return findKeyOccurrences("KEY", files, new AbortController().signal);
    };
    const places = await search(names);
    const found = [0, 2, 4].map((line) => ({ file: "a", line }));
    assert.deepEqual(places, { found, searched: 2, isComplete: false });
    const all = await search(["a", "b/c"]);
    assert.deepEqual(all, { found, searched: 2, isComplete: true });
  });

  it("counts as searched only the files that were read, if more exist or the search is aborted", async () => {
    const search = async (hasMore: boolean, abortedAt?: string) => {
      const abort = new AbortController();
      const read = async (name: string) => {
        if (name === abortedAt) abort.abort();
        return "";
      };
      const files = { names: ["a", "b", "c"], hasMore, read };
      return findKeyOccurrences("KEY", files, abort.signal);
    };
    assert.deepEqual(await search(true), { found: [], searched: 3, isComplete: false });
    assert.deepEqual(await search(false, "b"), { found: [], searched: 2, isComplete: false });
  });
});
