import assert from "node:assert/strict";
import fs from "node:fs";
import promises, { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mock } from "node:test";
import { describe, it } from "mocha";
import { readText } from "../../../../src/engine/files/textFile";

describe("a small file for a command", () => {
  it("is read after an asynchronous read succeeded, so that Ctrl+C can end the wait", async () => {
    const folder = await mkdtemp(join(tmpdir(), "skill-registry-text-"));
    const path = join(folder, "payload.json");
    await writeFile(path, "{}");
    let answer: () => void = () => undefined;
    const about = await promises.stat(path);
    const silent = new Promise<typeof about>((resolve) => (answer = () => resolve(about)));
    const asked = mock.method(promises, "stat", () => silent);
    const readAtOnce = mock.method(fs, "readFileSync");
    try {
      const reading = readText(path);
      assert.deepEqual([asked.mock.callCount(), readAtOnce.mock.callCount()], [1, 0]);
      answer();
      assert.equal(await reading, "{}");
      assert.equal(readAtOnce.mock.callCount(), 1);
    } finally {
      asked.mock.restore();
      readAtOnce.mock.restore();
      await rm(folder, { recursive: true });
    }
  });
});
