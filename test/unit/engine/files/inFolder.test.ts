import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "mocha";
import { inFolder, makeFolder } from "../../../../src/engine/files/inFolder";

describe("A required folder", () => {
  it("is created with its parents, and left alone if it exists", async () => {
    const folder = await mkdtemp(join(tmpdir(), "folder-"));
    const deep = join(folder, "a", "b", "c");
    const file = join(deep, "text");
    await inFolder(deep, () => writeFile(file, "x"));
    await makeFolder(deep);
    assert.deepEqual(await readdir(deep), ["text"]);
    await Promise.all([1, 2, 3].map(() => makeFolder(join(folder, "x", "y", "z"))));
    await assert.rejects(makeFolder(join(file, "d")), { code: "ENOTDIR" });
    await assert.rejects(makeFolder(file), { code: "EEXIST" });
    await rm(folder, { recursive: true });
  });

  // Of the supported systems, only Linux has such folders.
  const onLinux = process.platform === "linux" ? it : it.skip;
  onLinux("rejects, and is not tried forever, in a folder that takes none", async () => {
    await assert.rejects(makeFolder("/proc/1/machine/invocations"), { code: "ENOENT" });
  });
});
