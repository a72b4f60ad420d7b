import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Runs `work`, which needs a folder. If the folder is missing, creates it and runs `work` again. Checking first would
 * cost four more system calls per invocation. Rejects as `work` does.
 */
export async function inFolder<Made>(folder: string, work: () => Promise<Made>): Promise<Made> {
  try {
    return await work();
  } catch (error) {
    // The folder does not exist yet, or somebody deleted it.
    if (codeOf(error) !== "ENOENT") throw error;
    await makeFolder(folder, 0o700);
    return work();
  }
}

/**
 * Creates a folder and its parents if they are missing. Rejects with the system's error. Does not use the `recursive`
 * option of `mkdir`, which never returns in a folder without write support, such as `/proc`.
 */
export async function makeFolder(folder: string, mode = 0o777): Promise<void> {
  const makeThis = () =>
    mkdir(folder, { mode }).catch(async (error: unknown) => {
      if (!(await isFolder(folder))) throw error;
    });
  try {
    await makeThis();
  } catch (error) {
    const parent = dirname(folder);
    if (codeOf(error) !== "ENOENT" || parent === folder) throw error;
    await makeFolder(parent, mode);
    await makeThis();
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
