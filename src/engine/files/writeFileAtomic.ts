import { randomBytes } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { pause } from "../../registry/wait";

/** The suffix of files that are not complete. Nothing reads a file that a crash left with this suffix. */
const tempSuffix = ".tmp";

/** Who may read a new file: only its owner, or everybody whom the system allows, as usual in a repository. */
const modes = { owner: 0o600, shared: 0o666 } as const;

/**
 * Writes a file under a temporary name and then renames it, so that readers find either the old or the new text. Takes
 * the next piece of the text only after the previous one is written. Rejects if the disk fails.
 */
export async function writeFileAtomic(
  path: string,
  text: string | Iterable<string>,
  readers: keyof typeof modes = "owner",
): Promise<void> {
  const temporary = `${path}.${randomBytes(4).toString("hex")}${tempSuffix}`;
  try {
    await writeFile(temporary, text, { mode: modes[readers], flush: true });
    await replaceFile(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/**
 * Renames a file over another one. Retries on Windows, which refuses while a program has either file open. Rejects with
 * the last error.
 */
export async function replaceFile(
  from: string,
  to: string,
  renameFile: typeof rename = rename,
  isWindows: boolean = process.platform === "win32",
): Promise<void> {
  for (const pauseMs of [...pausesMs, undefined]) {
    try {
      return await renameFile(from, to);
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      const mayPass = isWindows && ["EPERM", "EACCES", "EBUSY"].includes(code);
      if (!mayPass || pauseMs === undefined) throw error;
      await pause(pauseMs);
    }
  }
}

/**
 * The pauses between retries, in milliseconds: half a second in all. By then, a virus scanner or a backup has finished
 * reading a small file.
 */
const pausesMs = [10, 30, 60, 120, 280];
