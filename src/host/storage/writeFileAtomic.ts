import { randomBytes } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";

/** The ending of files that are being written. One left by a crash is of no use to anyone. */
export const tempSuffix = ".tmp";

/**
 * Writes a file for its owner alone, under a temporary name and then renamed, so that a reader finds the
 * old or the new text and never half of one. A text in pieces is asked for the next one when the last
 * is on the disk. Rejects where the disk does not take it.
 */
export async function writeFileAtomic(
  path: string,
  text: string | Iterable<string>,
): Promise<void> {
  const temporary = `${path}.${randomBytes(4).toString("hex")}${tempSuffix}`;
  try {
    await writeFile(temporary, text, { mode: 0o600, flush: true });
    await replaceFile(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Half a second in all: a virus scanner or a backup is done with a small file by then. */
const pausesMs = [10, 30, 60, 120, 280];

/**
 * Renames a file over another. Windows refuses that for as long as any program has one of them open, so
 * it is tried again there. Rejects with the last refusal.
 */
export async function replaceFile(
  from: string,
  to: string,
  renameFile: typeof rename = rename,
  isWindows: boolean = process.platform === "win32",
): Promise<void> {
  for (const pauseMs of pausesMs) {
    try {
      return await renameFile(from, to);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? "";
      if (!isWindows || !["EPERM", "EACCES", "EBUSY"].includes(code)) throw error;
      await pause(pauseMs);
    }
  }
  return renameFile(from, to);
}
