import { execFileSync } from "node:child_process";
import { realpathSync, statfsSync } from "node:fs";

/** What the operating system says about file systems. */
interface FileSystems {
  readonly platform: NodeJS.Platform;
  /** Returns the type number of a folder's file system on Linux. */
  readonly typeOf: (folder: string) => number;
  /** Resolves links, and on Windows the letter of a network drive: `Z:\a` → `\\server\share\a`. */
  readonly realPath: (folder: string) => string;
  /** Returns the list of macOS's `mount`. */
  readonly mounts: () => string;
}

const ofThisMachine: FileSystems = {
  platform: process.platform,
  typeOf: (folder) => statfsSync(folder).type,
  realPath: (folder) => realpathSync.native(folder),
  mounts: () => execFileSync("/sbin/mount", { encoding: "utf8", timeout: 2000 }),
};

/**
 * The type numbers of Linux's local file systems (`linux/magic.h`). Machines may share any other one, such as NFS, SMB,
 * Lustre, GPFS, CephFS, BeeGFS, or what a program provides through FUSE.
 */
const localTypes: ReadonlySet<number> = new Set([
  ...[0xef53, 0x58465342, 0x9123683e, 0x2fc12fc1], // ext2 to ext4, XFS, Btrfs, ZFS
  ...[0x01021994, 0x858458f6, 0x794c7630, 0x61756673], // tmpfs, ramfs, overlayfs, aufs
  ...[0xf2f52010, 0xca451a4e, 0x3153464a, 0x52654973], // F2FS, bcachefs, JFS, ReiserFS
  ...[0x4d44, 0x2011bab0, 0x7366746e, 0x482b], // FAT, exFAT, NTFS, HFS+
]);

/** Returns whether a folder is certainly on a disk of this machine, so that no other machine can write there. */
export function isLocalFolder(folder: string, system = ofThisMachine): boolean {
  try {
    switch (system.platform) {
      case "linux":
        return localTypes.has(system.typeOf(folder));
      case "win32":
        return /^[a-z]:\\/i.test(system.realPath(folder));
      case "darwin":
        return isLocalMount(system.realPath(folder), system.mounts());
      default:
        return false;
    }
  } catch {
    return false;
  }
}

/** macOS shows the folders of this volume also below `/`. */
const dataVolume = "/System/Volumes/Data";

/** Returns whether macOS marks the innermost mount that contains a path as local. */
function isLocalMount(path: string, mounts: string): boolean {
  const inside = (folder: string) => `${folder.replace(dataVolume, "")}/`.replaceAll(/\/+/g, "/");
  const containing = [...mounts.matchAll(/^.+? on (\/.*) \(([^()]+)\)$/gm)]
    .map(([, at = "", flags = ""]) => ({ at: inside(at), flags: flags.split(", ") }))
    .filter(({ at }) => inside(path).startsWith(at))
    .sort((a, b) => b.at.length - a.at.length);
  return containing[0]?.flags.includes("local") ?? false;
}
