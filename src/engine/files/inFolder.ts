import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Does what needs a folder, and once more where that is missing, with the folder. Made beforehand each time, it would
 * cost a script of a hundred invocations a second four calls for each. Rejects as `work` does.
 */
export async function inFolder<Made>(folder: string, work: () => Promise<Made>): Promise<Made> {
  try {
    return await work();
  } catch (error) {
    // Not there yet, or somebody removed it to be rid of what was in it.
    if (codeOf(error) !== "ENOENT") throw error;
    await makeFolder(folder, 0o700);
    return work();
  }
}

/**
 * Makes a folder and those it is in, unless they are there. Rejects with the system's error where one cannot be made:
 * `mkdir` with `recursive` never ends where a folder that is there, as those of `/proc`, takes none.
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
