import { isBuiltin } from "node:module";
import type { DatabaseSync } from "node:sqlite";

/**
 * Returns whether this Node.js has `node:sqlite`, without loading it. Versions from 22.13 on have it, unless a flag
 * turns it off.
 */
export function hasSqlite(): boolean {
  return isBuiltin("node:sqlite");
}

/**
 * Returns `node:sqlite`, loaded on first use, or undefined if this Node.js has none. Suppresses the warning that the
 * module is experimental, which every command would print.
 */
export function loadSqlite(): typeof import("node:sqlite") | undefined {
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (rest[0] !== "ExperimentalWarning") Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Ends a transaction that failed. Does nothing if the error has already ended it. */
export function rollBack(database: DatabaseSync): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    // There is no transaction any more.
  }
}
