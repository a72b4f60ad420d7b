import { mkdir, mkdtemp, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/**
 * Fills `folder` once. `fill` works in another folder that is renamed at the end, so an interrupted or parallel install
 * leaves no half-filled `folder`. Rejects if `fill` does.
 */
export async function installOnce(folder, fill) {
  if (await exists(folder)) return;
  await mkdir(dirname(folder), { recursive: true });
  const unfinished = await mkdtemp(join(dirname(folder), `unfinished-${basename(folder)}-`));
  try {
    await fill(unfinished);
    await rename(unfinished, folder);
  } catch (error) {
    // Another process finished first: its folder is as good as ours.
    if (!(await exists(folder))) throw error;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

function exists(path) {
  return stat(path).then(
    () => true,
    () => false,
  );
}
