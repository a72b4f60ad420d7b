import assert from "node:assert/strict";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, it } from "mocha";

describe("the stack of an error in a bundle", () => {
  it("names the source where it was made", async () => {
    const { mapStack } = await import(pathToFileURL(resolve("scripts/suite/mapStack.cjs")).href);
    const error = new Error("At tools.js:1:1.");
    mapStack(error);
    assert.match(
      error.stack ?? "",
      /^Error: At tools\.js:1:1\.\n.*[\\/]mapStack\.test\.ts:9:19\)$/m,
    );
  });
});
