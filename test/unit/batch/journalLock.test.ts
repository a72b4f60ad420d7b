import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "mocha";
import { type LockAnswer, takeLock } from "../../../src/batch/journalLock";

describe("a lock among windows", () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "lock-"));
    path = join(folder, "made", "call.lock");
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const take = (forMs = 60_000) => takeLock(path, Date.now() + forMs);
  const release = (answer: LockAnswer) => (answer.kind === "taken" ? answer.release() : undefined);

  it("is taken once until it is released", async () => {
    const first = await take();
    assert.equal(first.kind, "taken");
    assert.equal((await take()).kind, "held");
    await release(first);
    assert.equal((await take()).kind, "taken");
  });

  it("goes to one of many who ask at the same time", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => take()));
    assert.equal(answers.filter(({ kind }) => kind === "taken").length, 1);
  });

  it("of a window that died goes to one of many who ask next", async () => {
    await release(await take());
    const { pid } = spawnSync(process.execPath, ["--version"]);
    await writeFile(path, JSON.stringify({ pid, until: Date.now() + 60_000, token: "x" }));
    const answers = await Promise.all(Array.from({ length: 20 }, () => take()));
    assert.equal(answers.filter(({ kind }) => kind === "taken").length, 1);
  });

  it("says who holds it, and why it could not be taken", async () => {
    await take();
    assert.deepEqual(await take(), { kind: "held", pid: process.pid });
    const answer = await takeLock(join(path, "below"), Date.now() + 60_000);
    assert.equal(
      answer.kind === "unavailable" && (answer.error as { code: string }).code,
      "ENOTDIR",
    );
  });

  it("of a process of a former container that had the number of this one is dead", async () => {
    await release(await take());
    const until = Date.now() + 60_000;
    await writeFile(path, JSON.stringify({ pid: process.pid, since: 1, until, token: "x" }));
    assert.equal((await take()).kind, "taken");
  });

  it("is over when its time is", async () => {
    assert.equal((await take(-1)).kind, "taken");
    assert.equal((await take()).kind, "taken");
  });

  it("that was torn by a crash is held while it may be being written, and then not", async () => {
    await release(await take());
    await writeFile(path, '{"pid":');
    assert.equal((await take()).kind, "held");
    await utimes(path, 1000, 1000);
    assert.equal((await take()).kind, "taken");
  });

  it("survives a window that died while it took a dead lock over", async () => {
    await release(await take());
    await writeFile(path, JSON.stringify({ pid: process.pid, until: 1, token: "x" }));
    await writeFile(`${path}.turn`, "");
    await utimes(`${path}.turn`, 1000, 1000);
    assert.equal((await take()).kind, "held");
    assert.equal((await take()).kind, "taken");
  });

  it("that another took over is not released by its former holder", async () => {
    const first = await take(-1);
    const second = await take();
    await release(first);
    assert.equal((await take()).kind, "held");
    await release(second);
    assert.deepEqual(await readdir(join(folder, "made")), []);
  });

  it("stands in nobody's way where the disk does not take it", async () => {
    await writeFile(join(folder, "made"), "a file where a folder should be");
    assert.equal((await take()).kind, "unavailable");
  });
});
