import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, it } from "mocha";

describe("the stack of an error in a bundle", () => {
  const load = (): Promise<{ mapStack(error: unknown): void }> =>
    import(pathToFileURL(resolve("scripts/suite/mapStack.cjs")).href);
  const source = /[\\/]mapStack\.test\.ts:\d+:\d+\)$/m;

  it("names the original source", async () => {
    const { mapStack } = await load();
    const error = new Error("At tools.js:1:1.");
    mapStack(error);
    assert.match(
      error.stack ?? "",
      /^Error: At tools\.js:1:1\.\n.*[\\/]mapStack\.test\.ts:14:19\)$/m,
    );
  });

  it("names the sources of its causes and inner errors, also in a circle", async () => {
    const { mapStack } = await load();
    const first = new Error("first");
    const cause = new AggregateError([first, "no error"], "all failed");
    first.cause = cause;
    mapStack(new Error("outer", { cause }));
    for (const { stack = "" } of [cause, first]) assert.match(stack, source);
  });

  it("is read for a hundred errors at most", async () => {
    const { mapStack } = await load();
    const errors = Array.from({ length: 200 }, () => new Error("one of many"));
    mapStack(new AggregateError(errors));
    assert.equal(errors.filter(({ stack = "" }) => source.test(stack)).length, 99);
  });

  it("uses the map that the bundle names at its end, which a debugger needs too", () => {
    const end = readFileSync(__filename, "utf8").slice(-500);
    assert.match(end, new RegExp(`\\n//# sourceMappingURL=${basename(__filename)}\\.map\\n$`));
  });
});
