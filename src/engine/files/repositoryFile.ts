import { constants } from "node:fs";
import { type FileHandle, lstat, open, realpath } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";

/**
 * The maximum size of a text that is read as a whole, in bytes. The check of payloads has a lower limit, 32 million
 * characters.
 */
export const maxTextBytes = 100_000_000;

/** The result of reading a path in a repository. */
type RepositoryFile =
  | { readonly kind: "bytes"; readonly bytes: Buffer }
  | { readonly kind: "tooLarge" }
  /** A link leads out of the folder. */
  | { readonly kind: "outside" }
  /** A folder, or a device, which may never end. */
  | { readonly kind: "notAFile"; readonly isFolder: boolean };

/**
 * Reads a file of at most `maxBytes` in a folder. Does not follow links out of the folder, since an untrusted
 * repository could link to the user's other files. Does not rely on the reported size, because files such as those in
 * `/proc` report 0. Rejects with the system's error.
 */
export async function readRepositoryFile(
  folder: string,
  path: string,
  maxBytes: number,
): Promise<RepositoryFile> {
  const real = await pathInside(folder, path);
  if (real === undefined) return { kind: "outside" };
  // Without this flag, opening a pipe waits for a writer.
  const file = await open(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return { kind: "notAFile", isFolder: stats.isDirectory() };
    const bytes = stats.size > maxBytes ? undefined : await readAtMost(file, maxBytes);
    return bytes === undefined ? { kind: "tooLarge" } : { kind: "bytes", bytes };
  } finally {
    await file.close();
  }
}

/** The sizes of chunks. The first one fits most files of a repository; later ones are larger. */
const [firstChunkBytes, chunkBytes] = [16 * 1024, 256 * 1024];

/**
 * Reads an open file to its end. If it has more than `maxBytes`, stops after the first byte too many and returns
 * undefined.
 */
export async function readAtMost(file: FileHandle, maxBytes: number): Promise<Buffer | undefined> {
  const full: Buffer[] = [];
  let length = 0;
  let piece = Buffer.allocUnsafe(Math.min(firstChunkBytes, maxBytes + 1));
  let filled = 0;
  while (length <= maxBytes) {
    if (filled === piece.length) {
      full.push(piece);
      piece = Buffer.allocUnsafe(Math.min(chunkBytes, maxBytes + 1 - length));
      filled = 0;
    }
    const { bytesRead } = await file.read(piece, filled, piece.length - filled, null);
    if (bytesRead === 0) return Buffer.concat([...full, piece.subarray(0, filled)], length);
    filled += bytesRead;
    length += bytesRead;
  }
  return undefined;
}

/**
 * Returns the real path behind all links; its last parts need not exist. Undefined if it is outside the folder. Rejects
 * if the folder does not exist.
 */
export async function pathInside(folder: string, path: string): Promise<string | undefined> {
  const root = await realpath(folder);
  const real = await realPathOf(path);
  const isInside = real === root || real?.startsWith(root.endsWith(sep) ? root : root + sep);
  return isInside ? real : undefined;
}

/**
 * Returns the real path. Undefined for a link to a missing file: writing through the link would create that file
 * somewhere else.
 */
async function realPathOf(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" || dirname(path) === path) throw error;
    const isLink = await lstat(path).then(
      () => true,
      () => false,
    );
    if (isLink) return undefined;
    const parent = await realPathOf(dirname(path));
    return parent && join(parent, basename(path));
  }
}
