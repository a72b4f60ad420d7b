import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "mocha";
import { findFiles, unreadItems } from "../../../../src/cli/files/findFiles";
import { exitCodeOf } from "../../../../src/core/findings/report";

describe("the files for a command", () => {
  let cwd = "";
  before(async () => {
    cwd = await mkdtemp(join(tmpdir(), "skill-registry-files-"));
    for (const name of [
      "a.json",
      "b.txt",
      "data/c.json",
      "data/deep/d.json",
      "data/[e].json",
      "data/node_modules/f.json",
      "data/.hidden/g.json",
    ]) {
      await mkdir(dirname(join(cwd, name)), { recursive: true });
      await writeFile(join(cwd, name), "");
    }
    await symlink(join(cwd, "data"), join(cwd, "link"));
  });
  after(() => rm(cwd, { recursive: true, force: true }));
  const isJson = (name: string) => name.endsWith(".json");
  const find = (...names: string[]) => findFiles(cwd, names, isJson);

  const cases: readonly (readonly [names: string[], files: string[]])[] = [
    [["."], ["a.json", "data/[e].json", "data/c.json", "data/deep/d.json"]],
    [
      ["b.txt", "data/deep"],
      ["b.txt", "data/deep/d.json"],
    ],
    [["*"], ["a.json", "b.txt"]],
    [["data/*.json"], ["data/[e].json", "data/c.json"]],
    [["**/*.json"], ["a.json", "data/[e].json", "data/c.json", "data/deep/d.json"]],
    [["data/**/{d,x}.js?n"], ["data/deep/d.json"]],
    [["[!b-z]*"], ["a.json"]],
    [["data/[e].json"], ["data/[e].json"]],
    [["./data/../data/*.json"], ["data/[e].json", "data/c.json"]],
    [["a.json", "*.json"], ["a.json"]],
  ];
  for (const [names, files] of cases) {
    it(`are found by ${names.join(" ")}`, async () => {
      assert.deepEqual(await find(...names), { files, unread: [] });
    });
  }

  for (const [name, code] of [
    ["gone.json", 2],
    ["*.yaml", 2],
    ["{a", 2],
    ["[z-a]", 2],
  ] as const) {
    it(`are an error with ${code} if ${name} does not exist`, async () => {
      await assert.rejects(find(name), { name: "CommandError", exitCode: code });
    });
  }

  const said = async () => {
    const items = unreadItems(await find("."));
    return [exitCodeOf(items), ...items.map(({ findings: [first] }) => first?.message)];
  };

  it("are incomplete if a folder cannot be read, with a message", async function () {
    if (process.platform === "win32" || process.getuid?.() === 0) this.skip();
    await chmod(join(cwd, "data/deep"), 0);
    const message = "Not everything in this folder was checked: permission denied (EACCES).";
    assert.deepEqual(await said(), [3, message]);
    await chmod(join(cwd, "data/deep"), 0o755);
  });

  it("do not include links, with a message for a matching one", async function () {
    if (process.platform === "win32") this.skip();
    const link = join(cwd, "linked.json");
    await symlink(join(cwd, "b.txt"), link);
    assert.deepEqual(await said(), [3, "This file was not checked: it is a link or a pipe."]);
    const silent = await findFiles(cwd, ["."], isJson, { reportsLinks: false });
    assert.deepEqual(silent.unread, []);
    // A link that is named explicitly is followed.
    assert.deepEqual(await find("linked.json"), { files: ["linked.json"], unread: [] });
    await rm(link);
  });

  it("need no message about a link to a found file, or about a lock file of Emacs", async function () {
    if (process.platform === "win32") this.skip();
    const links = [
      ["a.json", "again.json"],
      ["../a.json", "data/other.json"],
      ["ida@host.1234:1700000000", ".#a.json"],
    ] as const;
    for (const [target, name] of links) await symlink(target, join(cwd, name));
    assert.deepEqual((await find(".")).unread, []);
    // A link to a file that is not found otherwise is reported.
    const { files, unread } = await find("data");
    assert.deepEqual(
      [files.includes("data/c.json"), unread.map(({ path }) => path)],
      [true, ["data/other.json"]],
    );
    for (const [, name] of links) await rm(join(cwd, name));
  });

  it("do not include folders that are too deep, with a message", async () => {
    const deep = join(cwd, ...Array(21).fill("x"));
    await mkdir(deep, { recursive: true });
    await writeFile(join(deep, "h.json"), "");
    const message = "Not everything in this folder was checked: it is more than 20 folders deep.";
    assert.deepEqual(await said(), [3, message]);
    await rm(join(cwd, "x"), { recursive: true });
  });

  it("are limited in number, with a message if there are more", async () => {
    const all = await findFiles(cwd, ["."], isJson, { maxFiles: 4 });
    assert.deepEqual([all.files.length, all.unread.length], [4, 0]);
    const some = await findFiles(cwd, ["."], isJson, { maxFiles: 3 });
    assert.equal(some.files.length, 3);
    const [
      {
        findings: [first],
      } = { findings: [] },
    ] = unreadItems(some);
    const message = "Not everything in this folder was checked: only 3 files are read.";
    assert.equal(first?.message, message);
  });
});
