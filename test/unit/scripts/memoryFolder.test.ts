import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, describe, it } from "mocha";
import { skipBecause } from "../../fixtures/tools";

describe("the folder in memory for the files of tests", () => {
  const parent = mkdtempSync(join(tmpdir(), "skill-registry-memory-"));
  const address = pathToFileURL(resolve("scripts/suite/memoryFolder.mjs")).href;
  let create: (parent: string) => string | undefined;

  before(async function () {
    if (process.platform !== "linux") skipBecause(this, "only Linux has one");
    if (process.availableMemory() < 4 * 1024 ** 3) skipBecause(this, "with little memory");
    ({ memoryFolder: create } = await import(address));
  });
  after(() => rmSync(parent, { recursive: true }));

  it("replaces those of runs that were killed, and leaves those of others alone", () => {
    const { pid } = spawnSync(process.execPath, ["--version"]);
    const [ended, running, another] = [
      `skill-registry-tests-${pid}-a`,
      `skill-registry-tests-${process.pid}-b`,
      "another",
    ].map((name) => join(parent, name)) as [string, string, string];
    for (const folder of [ended, running, another]) mkdirSync(folder);
    const folder = create(parent);
    assert.equal(folder && dirname(folder), parent);
    assert.deepEqual([ended, running, another].map(existsSync), [false, true, true]);
  });

  it("ends with its process", () => {
    const program = `import { memoryFolder } from ${JSON.stringify(address)};
      process.stdout.write(memoryFolder(process.argv[1]));`;
    const args = ["--input-type=module", "--eval", program, parent];
    const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
    assert.equal(dirname(stdout), parent);
    assert.equal(existsSync(stdout), false);
  });

  it("is none where it cannot be created", () => {
    assert.equal(create(join(parent, "missing")), undefined);
  });
});
