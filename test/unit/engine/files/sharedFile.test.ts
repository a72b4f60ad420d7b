import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "mocha";
import { SharedFile } from "../../../../src/engine/files/sharedFile";
import { withoutPauses } from "../../../fixtures/withoutPauses";

const readNumber = (value: unknown) => (typeof value === "number" ? value : 0);

const failure = (code: string) => Object.assign(new Error(code), { code });

describe("a value that all windows share", () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "shared-"));
    path = join(folder, "value.json");
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("is what another window left", async () => {
    await new SharedFile(path, readNumber).change(() => 5);
    assert.equal(await new SharedFile(path, readNumber).get(), 5);
    assert.deepEqual(await readdir(folder), ["value.json"]);
  });

  it("loses no change when several windows change it at once", async () => {
    const windows = Array.from({ length: 4 }, () => new SharedFile(path, readNumber));
    const changes = windows.flatMap((file) =>
      Array.from({ length: 5 }, () => file.change((value) => value + 1)),
    );
    await Promise.all(changes);
    assert.equal(await windows[0]?.get(), 20);
  });

  it("is written once for all changes that come while it is busy", async () => {
    let reads = 0;
    const file = new SharedFile(path, readNumber, (name) => {
      reads += 1;
      return readFile(name, "utf8");
    });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        file.decide((value) => ({ value: value + 1, answer: value })),
      ),
    );
    assert.deepEqual(
      answers,
      Array.from({ length: 20 }, (_, index) => index),
    );
    assert.ok(reads <= 2, String(reads));
    assert.equal(await file.get(), 20);
  });

  it("starts anew where the file is damaged", async () => {
    await writeFile(path, '{"torn');
    const file = new SharedFile(path, readNumber);
    assert.equal(await file.get(), 0);
    await file.change((value) => value + 1);
    assert.equal(await new SharedFile(path, readNumber).get(), 1);
  });

  it("lives on in its window where the disk does not take it", async () => {
    const file = new SharedFile(join(folder, "value.json", "below"), readNumber);
    await writeFile(path, "0");
    await file.change((value) => value + 1);
    await file.change((value) => value + 1);
    assert.equal(await file.get(), 2);
  });

  it("is read again where another program has the file open for a moment", async () => {
    await writeFile(path, "5");
    let refusals = 2;
    const file = new SharedFile(path, readNumber, async (name) => {
      refusals -= 1;
      if (refusals >= 0) throw failure("EBUSY");
      return readFile(name, "utf8");
    });
    await file.change((value) => value + 1);
    assert.equal(await readFile(path, "utf8"), "6");
  });

  it("is not replaced while it cannot be read, and takes what was changed meanwhile afterwards", async () => {
    await writeFile(path, "5");
    let isReadable = true;
    const file = new SharedFile(path, readNumber, (name) =>
      isReadable ? readFile(name, "utf8") : Promise.reject(failure("EIO")),
    );
    assert.equal(await file.get(), 5);
    isReadable = false;
    await withoutPauses(async () => {
      for (const _ of [1, 2]) await file.change((value) => value + 1);
      assert.equal(await file.get(), 7);
    });
    assert.equal(await readFile(path, "utf8"), "5");
    // Another window reads and changes it.
    await new SharedFile(path, readNumber).change((value) => value + 100);
    isReadable = true;
    assert.equal(await file.get(), 107);
    await file.change((value) => value + 1);
    assert.equal(await readFile(path, "utf8"), "108");
    await file.change((value) => value + 1);
    assert.equal(await readFile(path, "utf8"), "109");
  });
});
