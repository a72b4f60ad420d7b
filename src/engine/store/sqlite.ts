import { isBuiltin } from "node:module";

/** Returns whether this Node.js has `node:sqlite`: from 22.13 on, unless a flag turns it off. Does not load it. */
export function hasSqlite(): boolean {
  return isBuiltin("node:sqlite");
}

/**
 * Returns `node:sqlite`, loaded on first use, or undefined if this Node.js has none. Drops the warning that the module
 * is experimental, since people would read it with each command.
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
