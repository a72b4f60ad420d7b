import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, it } from "mocha";

type Packages = Record<string, { version: string; optional?: boolean }>;

describe("the dependencies", () => {
  const wanted: Packages = {
    "": { version: "0.1.0" },
    "node_modules/a": { version: "1.0.0" },
    "node_modules/a-win32": { version: "1.0.0", optional: true },
  };
  const a = { "node_modules/a": { version: "1.0.0" } };
  const cases: readonly (readonly [name: string, installed: Packages | undefined, boolean])[] = [
    ["nothing", undefined, false],
    ["an empty folder", {}, false],
    ["all", a, true],
    ["more than all", { ...a, "node_modules/b": { version: "1.0.0" } }, true],
    ["another version", { "node_modules/a": { version: "1.0.1" } }, false],
    ["another optional one", { ...a, "node_modules/a-win32": { version: "0.9.0" } }, false],
  ];
  for (const [name, packages, expected] of cases) {
    it(`are ${expected ? "" : "not "}installed if there is ${name}`, async () => {
      // Loaded from its own place, like everything that runs the tests.
      const module = pathToFileURL(resolve("scripts/ensureInstalled.mjs")).href;
      const { isInstalled } = (await import(module)) as { isInstalled(folder: string): boolean };
      const folder = await mkdtemp(join(tmpdir(), "installed-"));
      try {
        await mkdir(join(folder, "node_modules"));
        await writeFile(join(folder, "package-lock.json"), JSON.stringify({ packages: wanted }));
        if (packages !== undefined) {
          const hidden = join(folder, "node_modules/.package-lock.json");
          await writeFile(hidden, JSON.stringify({ packages }));
        }
        assert.equal(isInstalled(folder), expected);
      } finally {
        await rm(folder, { recursive: true });
      }
    });
  }

  const caches: readonly (readonly [string, boolean | undefined, boolean | undefined, boolean])[] =
    [
      ["can be written", true, true, true],
      ["cannot be written", false, true, false],
      ["is missing in a home that can be written", undefined, true, true],
      ["is missing in a home that cannot be written", undefined, false, false],
      ["is missing in a missing home", undefined, undefined, false],
    ];
  for (const [name, ofCache, ofHome, expected] of caches) {
    it(`are cached ${expected ? "as npm does" : "in the repository"} if the cache ${name}`, async () => {
      const module = pathToFileURL(resolve("scripts/ensureInstalled.mjs")).href;
      const { canCacheIn } = (await import(module)) as {
        canCacheIn(folder: string, canWrite: (folder: string) => boolean | undefined): boolean;
      };
      const canWrite = (folder: string) => (folder === "/home/.npm" ? ofCache : ofHome);
      assert.equal(canCacheIn("/home/.npm", canWrite), expected);
    });
  }
});
