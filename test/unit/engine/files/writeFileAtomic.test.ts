import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "mocha";
import { replaceFile, writeFileAtomic } from "../../../../src/engine/files/writeFileAtomic";
import { withoutPauses } from "../../../fixtures/withoutPauses";

describe("an atomic write", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "atomic-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("replaces the file, readable by its owner only, and leaves nothing beside it", async () => {
    const path = join(folder, "a.json");
    await writeFileAtomic(path, "old");
    await writeFileAtomic(path, ["n", "ew"]);
    assert.equal(await readFile(path, "utf8"), "new");
    assert.deepEqual(await readdir(folder), ["a.json"]);
    if (process.platform !== "win32") assert.equal((await stat(path)).mode & 0o777, 0o600);
  });

  it("keeps a repository's file readable for those who may read its others", async () => {
    const [path, other] = [join(folder, "a.json"), join(folder, "b.json")];
    await writeFileAtomic(path, "text", "shared");
    await writeFile(other, "text");
    assert.equal((await stat(path)).mode, (await stat(other)).mode);
  });

  it("leaves nothing behind if the file cannot be replaced", async () => {
    await assert.rejects(writeFileAtomic(join(folder, "gone", "a.json"), "text"));
    assert.deepEqual(await readdir(folder), []);
  });

  const refusals: readonly [what: string, code: string, isWindows: boolean, tries: number][] = [
    ["is tried again while another program has the file open", "EPERM", true, 3],
    ["is tried again while the file is busy", "EBUSY", true, 3],
    ["fails at once if the disk is full", "ENOSPC", true, 1],
    ["fails at once on other systems, where a refusal is final", "EACCES", false, 1],
  ];
  for (const [what, code, isWindows, expected] of refusals) {
    it(what, async () => {
      let tries = 0;
      const rename = async () => {
        tries += 1;
        if (tries < 3) throw Object.assign(new Error(code), { code });
      };
      const done = replaceFile("a", "b", rename, isWindows);
      if (expected === 3) await done;
      else await assert.rejects(done, { code });
      assert.equal(tries, expected);
    });
  }

  it("gives up with the error at the end", async () => {
    const refuse = () => Promise.reject(Object.assign(new Error("EPERM"), { code: "EPERM" }));
    await withoutPauses(() =>
      assert.rejects(replaceFile("a", "b", refuse, true), { code: "EPERM" }),
    );
  });
});
