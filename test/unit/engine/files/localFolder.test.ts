import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { isLocalFolder } from "../../../../src/engine/files/localFolder";

const mounts = `/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
devfs on /dev (devfs, local, nobrowse)
/dev/disk3s5 on /System/Volumes/Data (apfs, local, journaled, nobrowse, protect, root data)
map auto_home on /System/Volumes/Data/home (autofs, automounted, nobrowse)
//ada@server/share on /Volumes/My Share (smbfs, nodev, nosuid, mounted by ada)
server:/homes on /System/Volumes/Data/Network/homes (nfs, nodev, nosuid)
/dev/disk5s1 on /Volumes/My Share/disk (hfs, local)
`;

function isLocal(platform: NodeJS.Platform, folder: string, more: object = {}) {
  const fail = () => assert.fail("not asked");
  return isLocalFolder(folder, { platform, typeOf: fail, realPath: fail, mounts: fail, ...more });
}

describe("a folder is known to be local", () => {
  for (const [name, type, expected] of [
    ["ext4", 0xef53, true],
    ["Btrfs", 0x9123683e, true],
    ["tmpfs", 0x01021994, true],
    ["NFS", 0x6969, false],
    ["SMB 2", 0xfe534d42, false],
    ["Lustre", 0x0bd00bd0, false],
    ["GPFS", 0x47504653, false],
    ["CephFS", 0x00c36400, false],
    ["BeeGFS", 0x19830326, false],
    ["FUSE", 0x65735546, false],
    ["an unknown type", 1, false],
  ] as const) {
    it(`on Linux with ${name}: ${expected}`, () => {
      assert.equal(isLocal("linux", "/home", { typeOf: () => type }), expected);
    });
  }

  for (const [real, expected] of [
    ["C:\\Users\\ada", true],
    ["\\\\server\\home\\ada", false],
    ["\\\\?\\Volume{1}\\ada", false],
  ] as const) {
    it(`on Windows at ${real}: ${expected}`, () => {
      assert.equal(isLocal("win32", "Z:\\ada", { realPath: () => real }), expected);
    });
  }

  for (const [real, expected] of [
    ["/Users/ada/.skills", true],
    ["/System/Volumes/Data/Users/ada", true],
    ["/home/ada", false],
    ["/homework", true],
    ["/Network/homes/ada", false],
    ["/Volumes/My Share/ada", false],
    ["/Volumes/My Share/disk/ada", true],
  ] as const) {
    it(`on macOS at ${real}: ${expected}`, () => {
      const facts = { realPath: (folder: string) => folder, mounts: () => mounts };
      assert.equal(isLocal("darwin", real, facts), expected);
    });
  }

  it("nowhere if the system does not say so", () => {
    const empty = { realPath: (folder: string) => folder, mounts: () => "" };
    assert.equal(isLocal("darwin", "/Users/ada", empty), false);
    assert.equal(isLocal("freebsd", "/home/ada"), false);
    for (const platform of ["linux", "win32", "darwin"] as const) {
      assert.equal(isLocal(platform, "/home/ada"), false);
    }
  });
});
