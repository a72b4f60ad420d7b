import { randomBytes } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";

/** The ending of files that are being written. One left by a crash is of no use to anyone. */
export const tempSuffix = ".tmp";

/**
 * Writes a file for its owner alone, beside its place and then renamed, so that a reader finds the
 * old or the new text and never half of one. A text in pieces is asked for the next one when the last
 * is on the disk. Rejects where the disk does not take it.
 */
export async function writeFileAtomic(
  path: string,
  text: string | Iterable<string>,
): Promise<void> {
  const beside = `${path}.${randomBytes(4).toString("hex")}${tempSuffix}`;
  try {
    await writeFile(beside, text, { mode: 0o600, flush: true });
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}
