import { strict as assert } from "node:assert";
import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "mocha";
import {
  createListenAddress,
  isOwnSocket,
  newToken,
  readWindowAddress,
  writeWindowAddress,
} from "../../../src/window/windowAddress";

describe("The address of a window", () => {
  let folder = "";
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "window-address-"));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it("is a socket in a folder that nobody else may enter, which is removed with it", async () => {
    const { path, remove } = await createListenAddress({ platform: "linux", folders: [folder] });
    const { mode } = await stat(dirname(path));
    assert.equal(mode & 0o777, 0o700);
    await remove();
    await assert.rejects(stat(dirname(path)));
  });

  it("is in the next folder if a path would be too long for a socket", async () => {
    const long = join(folder, "a".repeat(90));
    await mkdir(long);
    const { path } = await createListenAddress({ platform: "darwin", folders: [long, folder] });
    assert.equal(dirname(dirname(path)), folder);
    await assert.rejects(createListenAddress({ platform: "darwin", folders: [long] }));
  });

  it("is in the next folder if one cannot be written", async () => {
    const missing = join(folder, "missing");
    const { path } = await createListenAddress({ platform: "linux", folders: [missing, folder] });
    assert.equal(dirname(dirname(path)), folder);
  });

  it("is a named pipe of Windows that nobody can guess", async () => {
    const places = await Promise.all(
      [1, 2].map(() => createListenAddress({ platform: "win32", folders: [] })),
    );
    const paths = places.map(({ path }) => path);
    for (const path of paths) assert.match(path, /^\\\\\.\\pipe\\skill-registry-[0-9a-f]{32}$/);
    assert.notEqual(paths[0], paths[1]);
    for (const path of paths)
      assert.equal(await isOwnSocket(path, { platform: "win32", uid: 0 }), true);
    assert.equal(await isOwnSocket("\\\\.\\pipe\\other", { platform: "win32", uid: 0 }), false);
  });

  it("is read as it was written, even with a pipe or colons in the path", () => {
    for (const path of [
      "/tmp/skill-registry-a/window",
      "\\\\.\\pipe\\skill-registry-a",
      "/tmp/a:b/window",
    ]) {
      const address = { path, token: newToken() };
      assert.deepEqual(readWindowAddress(writeWindowAddress(address)), address);
    }
  });

  for (const value of [
    "",
    "1:abc:/tmp/a",
    `2:${"a".repeat(64)}:/tmp/a`,
    `1:${"a".repeat(64)}:`,
    `\${env:SKILL_REGISTRY_WINDOW}`,
  ]) {
    it(`is not read from ${JSON.stringify(value)}`, () => {
      assert.equal(readWindowAddress(value), undefined);
    });
  }

  it("is rejected if others may enter its folder or own it, or it is no socket", async () => {
    const { path } = await createListenAddress({ platform: "linux", folders: [folder] });
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(path, resolve));
    const uid = process.getuid?.() ?? -1;
    const isOwn = (one = path, user = uid) => isOwnSocket(one, { platform: "linux", uid: user });
    assert.equal(await isOwn(), true);
    assert.equal(await isOwn(path, uid + 1), false);
    await writeFile(join(dirname(path), "file"), "");
    assert.equal(await isOwn(join(dirname(path), "file")), false);
    await symlink(path, join(dirname(path), "link"));
    assert.equal(await isOwn(join(dirname(path), "link")), false);
    for (const mode of [0o701, 0o710, 0o707]) {
      await chmod(dirname(path), mode);
      assert.equal(await isOwn(), false, mode.toString(8));
    }
    await new Promise((resolve) => server.close(resolve));
  });
});
