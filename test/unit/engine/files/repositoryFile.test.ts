import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { link, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "mocha";
import { readRepositoryFile } from "../../../../src/engine/files/repositoryFile";

describe("a file of a repository", () => {
  let top = "";
  const at = (...parts: string[]) => join(top, "repository", ...parts);
  before(async () => {
    top = await mkdtemp(join(tmpdir(), "skill-registry-repository-"));
    await mkdir(at("deep"), { recursive: true });
    await mkdir(join(top, "repository-beside"));
    await writeFile(at("deep", "a.json"), "0123456789");
    await writeFile(join(top, "outside.json"), "secret");
    await writeFile(join(top, "repository-beside", "a.json"), "secret");
  });
  after(() => rm(top, { recursive: true }));

  const read = async (name: string, maxBytes = 10) => {
    const found = await readRepositoryFile(at(), at(...name.split("/")), maxBytes);
    return found.kind === "bytes" ? found.bytes.toString() : found.kind;
  };

  it("is read up to its limit", async () => {
    assert.equal(await read("deep/a.json"), "0123456789");
    assert.equal(await read("deep/a.json", 9), "tooLarge");
    await writeFile(at("empty"), "");
    assert.equal(await read("empty", 0), "");
  });

  it("is read completely, with any size of the buffer", async () => {
    for (const size of [16_383, 16_384, 16_385, 278_528, 278_529, 600_000]) {
      const text = Array.from({ length: size }, (_, index) => index % 10).join("");
      await writeFile(at("large"), text);
      assert.equal(await read("large", size), text);
      assert.equal(await read("large", size - 1), "tooLarge");
    }
  });

  it("is not read if it is huge, even a sparse one", async () => {
    await writeFile(at("sparse"), "");
    await truncate(at("sparse"), 2 ** 40);
    assert.equal(await read("sparse"), "tooLarge");
  });

  it("is read through a link inside the repository, but not through one that leads out", async function () {
    if (process.platform === "win32") this.skip();
    await symlink("deep/a.json", at("inside.json"));
    await symlink(at("deep"), at("folder"));
    assert.equal(await read("inside.json"), "0123456789");
    assert.equal(await read("folder/a.json"), "0123456789");
    assert.equal(await read("deep/../deep/a.json"), "0123456789");
    for (const [name, target] of [
      ["one", "../outside.json"],
      ["two", join(top, "repository-beside", "a.json")],
      ["device", "/dev/zero"],
      ["memory", "/proc/self/pagemap"],
      ["new", join(top, "not-there-yet")],
    ] as const) {
      await symlink(target, at(name));
      assert.equal(await read(name), "outside", name);
    }
    await symlink(join(top, "repository-beside"), at("elsewhere"));
    assert.equal(await read("elsewhere/a.json"), "outside");
    assert.equal(await read("elsewhere/not-there.json"), "outside");
  });

  it("is read to its end if the system reports no size", async function () {
    if (process.platform !== "linux") this.skip();
    const found = await readRepositoryFile("/proc/self", "/proc/self/maps", 1000);
    assert.equal(found.kind, "tooLarge");
  });

  it("is neither a folder nor a pipe", async function () {
    if (process.platform === "win32") this.skip();
    execFileSync("sh", ["-c", `mkfifo "${at("pipe")}"`]);
    assert.equal(await read("pipe"), "notAFile");
    assert.equal(await read("deep"), "notAFile");
  });

  it("is missing with the system's error", async () => {
    await assert.rejects(read("not-there.json"), { code: "ENOENT" });
    await assert.rejects(read("not/there.json"), { code: "ENOENT" });
    await link(at("deep", "a.json"), at("hard.json"));
    assert.equal(await read("hard.json"), "0123456789");
  });
});
