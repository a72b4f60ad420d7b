import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Where Linux keeps files in memory. */
const linuxMemory = "/dev/shm";
const prefix = "skill-registry-tests-";
/** What a folder for tests needs, in bytes, with room to spare. */
const neededBytes = 2 * 1024 ** 3;

/**
 * Creates a folder in memory for the temporary files of tests, which ends with this process. On a disk, stores wait at
 * each change. Returns its path; undefined where the machine has no such folder, or little memory.
 */
export function memoryFolder(memory = linuxMemory) {
  if (process.platform !== "linux" || process.availableMemory() < 2 * neededBytes) return undefined;
  try {
    removeAbandoned(memory);
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize < neededBytes) return undefined;
    const folder = mkdtempSync(join(memory, `${prefix}${process.pid}-`));
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    return runsPrograms(folder) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** Removes the folders of this user's runs that were killed. */
function removeAbandoned(memory) {
  for (const name of readdirSync(memory).filter((name) => name.startsWith(prefix))) {
    const path = join(memory, name);
    const isOwn = statSync(path).uid === process.getuid();
    const pid = Number.parseInt(name.slice(prefix.length), 10);
    if (isOwn && !isRunning(pid)) rmSync(path, { recursive: true, force: true });
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Returns whether programs in this folder can be started: containers often forbid it. */
function runsPrograms(folder) {
  const program = join(folder, "program");
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}
