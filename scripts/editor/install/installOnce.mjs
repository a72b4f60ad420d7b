import { mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

const prefix = "unfinished-";
/** The age after which an unfinished install counts as interrupted, in milliseconds: a day. An install takes minutes. */
const interruptedAfterMs = 24 * 60 * 60 * 1000;

/**
 * Fills `folder` once. `fill` works in another folder that is renamed at the end, so an interrupted or parallel install
 * leaves no half-filled `folder`. Removes what interrupted installs left beside it. Rejects if `fill` does.
 */
export async function installOnce(folder, fill) {
  if (await exists(folder)) return;
  const parent = dirname(folder);
  await mkdir(parent, { recursive: true });
  await removeInterrupted(parent);
  const unfinished = await mkdtemp(join(parent, `${prefix}${basename(folder)}-`));
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

async function removeInterrupted(parent) {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue;
    const path = join(parent, name);
    const age = Date.now() - (await stat(path).catch(() => ({ mtimeMs: Date.now() }))).mtimeMs;
    // A folder of another user cannot be removed.
    if (age > interruptedAfterMs) await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

function exists(path) {
  return stat(path).then(
    () => true,
    () => false,
  );
}
