import { constants } from "node:fs";
import { type FileHandle, lstat, open, realpath } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";

/**
 * The maximum size of a text that is read whole, in bytes. A payload of more than 32 million characters is not checked.
 */
export const maxTextBytes = 100_000_000;

/** What was found where a file of a repository should be. */
export type RepositoryFile =
  | { readonly kind: "bytes"; readonly bytes: Buffer }
  | { readonly kind: "tooLarge" }
  /** A link in its path leads out of the folder. */
  | { readonly kind: "outside" }
  /** It is a folder, or a device that may never end. */
  | { readonly kind: "notAFile"; readonly isFolder: boolean };

/**
 * Reads a file of at most `maxBytes` in a folder. A repository may come from anywhere, so no link may lead to the
 * user's other files. The size that the system states is not used: the system's own files state none. Rejects with the
 * system's error.
 */
export async function readRepositoryFile(
  folder: string,
  path: string,
  maxBytes: number,
): Promise<RepositoryFile> {
  const real = await pathInside(folder, path);
  if (real === undefined) return { kind: "outside" };
  // Opening must not wait for a pipe without a writer.
  const file = await open(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const about = await file.stat();
    if (!about.isFile()) return { kind: "notAFile", isFolder: about.isDirectory() };
    const bytes = about.size > maxBytes ? undefined : await readAtMost(file, maxBytes);
    return bytes === undefined ? { kind: "tooLarge" } : { kind: "bytes", bytes };
  } finally {
    await file.close();
  }
}

/** The first chunk suits most files of a repository; later ones are larger. */
const [firstChunkBytes, chunkBytes] = [16 * 1024, 256 * 1024];

/** Reads an open file to its end. Undefined for more than `maxBytes`, of which at most one byte more is read. */
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
 * Returns where a path leads with all links followed; its last parts may not exist. Undefined where that is outside the
 * folder. Rejects where the folder does not exist.
 */
export async function pathInside(folder: string, path: string): Promise<string | undefined> {
  const root = await realpath(folder);
  const real = await realPathOf(path);
  const isInside = real === root || real?.startsWith(root.endsWith(sep) ? root : root + sep);
  return isInside ? real : undefined;
}

/** Undefined for a link to what does not exist, since writing through it would create that. */
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
