import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, describe, it } from "mocha";

type Fill = (unfinished: string) => Promise<void>;

describe("an install that all clones of a machine share", () => {
  let parent = "";
  let installOnce: (folder: string, fill: Fill) => Promise<void>;
  const fill: Fill = (unfinished) => writeFile(join(unfinished, "file"), "");

  before(async () => {
    parent = await mkdtemp(join(tmpdir(), "skill-registry-installs-"));
    const module = pathToFileURL(resolve("scripts/editor/install/installOnce.mjs"));
    ({ installOnce } = await import(module.href));
  });
  after(() => rm(parent, { recursive: true }));

  it("removes those that were interrupted, and leaves those in progress", async () => {
    const [old, recent] = [join(parent, "unfinished-a-1"), join(parent, "unfinished-a-2")];
    for (const folder of [old, recent]) await mkdir(folder);
    const twoDaysAgo = Date.now() / 1000 - 2 * 86_400;
    await utimes(old, twoDaysAgo, twoDaysAgo);
    await installOnce(join(parent, "a"), fill);
    assert.deepEqual((await readdir(parent)).toSorted(), ["a", "unfinished-a-2"]);
    assert.deepEqual(await readdir(join(parent, "a")), ["file"]);
  });

  it("leaves nothing if it fails", async () => {
    const failing = installOnce(join(parent, "b"), async (unfinished) => {
      await fill(unfinished);
      throw new Error("no network");
    });
    await assert.rejects(failing, /no network/);
    assert.deepEqual(
      (await readdir(parent)).filter((name) => name.includes("b")),
      [],
    );
  });

  it("counts if another run finishes first", async () => {
    await installOnce(join(parent, "c"), async (unfinished) => {
      await fill(unfinished);
      await installOnce(join(parent, "c"), fill);
    });
    assert.deepEqual(
      (await readdir(parent)).filter((name) => name.includes("c-")),
      [],
    );
    assert.deepEqual(await readdir(join(parent, "c")), ["file"]);
  });
});
