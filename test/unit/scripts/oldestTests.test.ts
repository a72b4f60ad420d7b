import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, it } from "mocha";

describe("the editor tests of the oldest VS Code", () => {
  it("are listed in CONTRIBUTING.md, each with its reason", async () => {
    // Loaded from where it stands, like everything that runs the tests.
    const module = pathToFileURL(resolve("scripts/editorTests/oldestTests.mjs")).href;
    const { oldestTests } = (await import(module)) as { oldestTests: Record<string, string> };
    const text = await readFile("CONTRIBUTING.md", "utf8");
    const rows = [...text.matchAll(/^\| `(\w+|\w+\/\w+)` \| (.*) \|$/gm)];
    assert.deepEqual(
      Object.fromEntries(rows.map(([, name, why]) => [`test/editor/${name}.test.ts`, why])),
      oldestTests,
    );
  });
});
