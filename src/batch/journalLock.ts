import { closeSync, openSync, rmSync, statSync } from "node:fs";
import { CommandError } from "../core/findings/commandError";
import { oneLine } from "../core/text/plainText";
import { writeError } from "../engine/files/textFile";
import { loadSqlite } from "../engine/store/sqlite";

/** SQLite's error code if another connection has the lock. */
const busy = 5;
const maxTries = 10;

/**
 * Locks a journal against all programs that use the same disk, since two runs would send every line twice. Uses the
 * lock of an empty SQLite database, which the system releases when a program dies. Returns a function that unlocks.
 * Throws a `CommandError` if another run has the lock, or if the file cannot be written.
 */
export function lockJournal(journal: string): () => void {
  const path = `${journal}.lock`;
  const sqlite = loadSqlite();
  if (sqlite === undefined) throw new CommandError("This Node.js has no SQLite (node:sqlite).");
  for (let tries = 1; ; tries += 1) {
    create(path);
    const file = inode(path);
    const database = new sqlite.DatabaseSync(path);
    try {
      database.exec("BEGIN EXCLUSIVE");
    } catch (error) {
      database.close();
      const { errcode, message } = error as Error & { readonly errcode?: number };
      // The previous owner may just have deleted the file.
      if (errcode !== busy && tries < maxTries) continue;
      throw new CommandError(
        errcode === busy
          ? `Another run is using ${journal}.`
          : `${path} could not be locked: ${oneLine(message, 200)}.`,
      );
    }
    // The previous owner deleted the file, and the next run would lock a new one.
    if (file === undefined || inode(path) !== file) {
      database.close();
      continue;
    }
    return () => {
      try {
        rmSync(path, { force: true });
      } catch {
        // Windows does not delete an open file. The file that remains is empty and unlocked.
      }
      database.close();
    };
  }
}

/**
 * Creates the file if it is missing. Does not open an existing file: closing it would release a lock of this program.
 */
function create(path: string): void {
  try {
    closeSync(openSync(path, "ax", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw writeError(path, error);
  }
}

/** Returns the identity of the file that currently has this path. */
function inode(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}
