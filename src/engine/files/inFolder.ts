import { mkdir } from "node:fs/promises";

/**
 * Does what needs a folder, and once more where that is missing, with the folder. Made beforehand each time, it would
 * cost a script of a hundred invocations a second four calls for each. Rejects as `work` does.
 */
export async function inFolder<Made>(folder: string, work: () => Promise<Made>): Promise<Made> {
  try {
    return await work();
  } catch (error) {
    // Not there yet, or somebody removed it to be rid of what was in it.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return work();
  }
}
