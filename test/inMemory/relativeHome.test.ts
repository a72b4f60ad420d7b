import { strict as assert } from "node:assert";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, describe, it } from "mocha";
import { homeVariable } from "../../src/engine/files/machine";
import { MemoryEditor } from "./memoryEditor";

describe("A relative path to the machine's folder in the environment", () => {
  const data = mkdtempSync(join(tmpdir(), "relative-home-"));
  after(() => rmSync(data, { recursive: true, force: true }));

  it("It is ignored, with the reason in the log", async function () {
    // Otherwise the fallback folder would be the real user's own.
    if (process.platform !== "linux") this.skip();
    const name = "out/relative-home";
    const editor = new MemoryEditor({ env: { [homeVariable]: name, XDG_DATA_HOME: data } });
    try {
      await editor.view("skills");
      assert.match(editor.log, /Ignored, since it is not an absolute path: SKILL_REGISTRY_HOME/);
    } finally {
      await editor.dispose();
    }
    assert.equal(existsSync(resolve(name)), false);
  });
});
