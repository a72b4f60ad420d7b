import { randomBytes } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { type LocalizableText, l10nText } from "../../core/text/language";
import { isLocalFolder } from "../files/localFolder";
import { homeVariable } from "../files/machine";
import { applicationId, migrations } from "./migrations";
import { loadSqlite, rollBack } from "./sqlite";
import { isOlder, noteLoss } from "./storeAge";
import { isBusy, isDamage, problemOf, StoreProblem } from "./storeProblem";
import { type Salvaged, salvage } from "./tables/salvage";

/**
 * A notice about the store for a person or the log. `setAside`: the file was damaged or not a store, so it was renamed.
 * `replaced`: the open file was deleted or replaced. `slow`: programs cannot share memory in the store's folder.
 * `unreadable`: some records have damaged texts, so no list has them.
 */
export interface StoreNotice {
  readonly kind: "setAside" | "replaced" | "slow" | "unreadable";
  readonly text: LocalizableText;
}

/** Called with each notice about the store. */
export type StoreReport = (notice: StoreNotice) => void;

/** Creates the notice that the open file was deleted or replaced. */
export function replacedNotice(folder: string): StoreNotice {
  const text = l10nText(
    "The record of this machine in {folder} was removed or replaced. What was spent today is no longer known.",
    { folder },
  );
  return { kind: "replaced", text };
}

function setAsideNotice(path: string, salvaged: Salvaged | undefined): StoreNotice {
  const { kept = 0, all, isRestWhole = false } = salvaged ?? {};
  const text = l10nText(
    "The record of this machine was damaged and set aside as {name} in {folder}. {kept} {rest}",
    {
      name: basename(path),
      folder: dirname(path),
      kept:
        all === undefined
          ? l10nText("Invocations that were kept: {kept}.", { kept })
          : l10nText("Invocations that were kept: {kept} of {all}.", { kept, all }),
      rest: isRestWhole
        ? l10nText("What was spent today is no longer known.")
        : l10nText(
            "Agreements, permissions of agents and audit entries may be lost, and what was spent today is no longer known.",
          ),
    },
  );
  return { kind: "setAside", text };
}

function slowNotice(folder: string): StoreNotice {
  const text = l10nText(
    "The record is written with a rollback journal, since programs cannot share memory in {folder}.",
    { folder },
  );
  return { kind: "slow", text };
}

/** Creates the notice that records have damaged texts. */
export function unreadableNotice(count: number): StoreNotice {
  const text = l10nText("Records that are damaged and left out: {count}.", { count });
  return { kind: "unreadable", text };
}

/** An open file of a store. */
export interface OpenDatabase {
  readonly database: DatabaseSync;
  /** Identifies the file, to notice when another one replaces it. */
  readonly file: string;
  /** Whether the file could only be read this time. Other programs may change it, so open it again for the next use. */
  readonly isForOneReading: boolean;
}

/** A fault of a file that was open. Part of today's spending may be lost with the file. */
export interface FoundFault {
  /** The identity of the damaged file, from `fileAt`. */
  readonly damaged?: string;
  readonly isReplaced?: boolean;
}

/**
 * Opens the store in a file. Creates a missing file. Renames a damaged file first, and creates a new one. If the file
 * cannot be written, as on a full disk, opens it for a reading alone. Throws a `StoreProblem` if the file cannot be read,
 * or not be written although `isReading` is false, or if a newer version wrote it.
 */
export function openDatabase(
  path: string,
  report: StoreReport,
  busyMs: number,
  { damaged, isReplaced = false }: FoundFault,
  isReading = false,
): OpenDatabase {
  try {
    let aside = damaged === undefined ? undefined : setAside(path, damaged);
    // Another program may rename a damaged file at the same moment.
    for (let tries = 0; ; tries += 1) {
      if (!existsSync(path)) create(path);
      const file = fileAt(path);
      // SQLite would wait without end for the other side of a pipe.
      if (statSync(path).isFIFO()) {
        throw Object.assign(new Error("a pipe"), { code: "EINVAL", syscall: "open" });
      }
      try {
        const opened = openAny(path, report, busyMs, isReading);
        const { database, canWrite } = opened;
        if (aside !== undefined) {
          report(
            setAsideNotice(
              aside,
              canWrite ? salvageFrom(aside, path, database, busyMs) : undefined,
            ),
          );
        }
        const isLost = aside !== undefined || isReplaced;
        const isOld = canWrite && isOlder(database, path);
        if (isOld && !isLost) report(replacedNotice(dirname(path)));
        if (isOld || isLost) noteLoss(database);
        return { database, file, isForOneReading: opened.isForOneReading };
      } catch (error) {
        if (!isDamage(error) || tries > 2) throw error;
        aside = setAside(path, file) ?? aside;
      }
    }
  } catch (error) {
    throw problemOf(error, path);
  }
}

/** Returns the identity of the file at a path; empty if there is none. */
export function fileAt(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? "" : `${found.dev} ${found.ino}`;
}

/** How long copying waits for programs that use the new file already, in milliseconds. */
const salvageWaitMs = 5_000;

/** Copies what can be read from a damaged file into the new one at `into`. Undefined if nothing can. */
function salvageFrom(
  path: string,
  into: string,
  database: DatabaseSync,
  busyMs: number,
): Salvaged | undefined {
  const salvaged = copyRows(path, database, busyMs);
  if (salvaged !== undefined && salvaged.kept > 0) return salvaged;
  const copy = `${path}.copy`;
  try {
    copyWithStart(path, copy, into, numberOf(database, "page_size"));
    return copyRows(copy, database, busyMs) ?? salvaged;
  } catch {
    return salvaged;
  } finally {
    rmSync(copy, { force: true });
  }
}

/**
 * Copies a file whose first page may be damaged, with that of a new store: it lists the tables, and each migration puts
 * them on the same pages. Without its size and its free pages, SQLite takes the size of the file.
 */
function copyWithStart(path: string, copy: string, into: string, pageBytes: number): void {
  const start = Buffer.alloc(pageBytes);
  const source = openSync(into, "r");
  readSync(source, start, 0, pageBytes, 0);
  closeSync(source);
  // The versions for reading and writing without a log, then the size and the free pages.
  start.fill(1, 18, 20).fill(0, 28, 40);
  copyFileSync(path, copy, constants.COPYFILE_FICLONE);
  const target = openSync(copy, "r+");
  writeSync(target, start, 0, pageBytes, 0);
  closeSync(target);
}

/** Copies the rows of a damaged file that can be read. Undefined if the disk is full, or it is no store of this layout. */
function copyRows(path: string, database: DatabaseSync, busyMs: number): Salvaged | undefined {
  try {
    const from = openFile(path, true);
    try {
      // Otherwise SQLite reads nothing of a file that lacks its last pages.
      from.exec("PRAGMA writable_schema = ON");
      assertOurs(from);
      // The rows of an older layout lack columns. Nearly always, the file was migrated before the damage was found.
      if (numberOf(from, "user_version") < migrations.length) return undefined;
      database.exec(`PRAGMA busy_timeout = ${salvageWaitMs}; BEGIN IMMEDIATE`);
      const salvaged = salvage(from, database);
      database.exec("COMMIT");
      return salvaged;
    } catch (error) {
      rollBack(database);
      throw error;
    } finally {
      from.close();
      database.exec(`PRAGMA busy_timeout = ${busyMs}`);
    }
  } catch {
    return undefined;
  }
}

/**
 * Renames a damaged file and its companion files. Returns the new path; undefined if another program renamed the file
 * first. That program reports it, and the file now at `path` may be intact.
 */
function setAside(path: string, file: string): string | undefined {
  if (fileAt(path) !== file) return undefined;
  const name = `${path}.damaged-${new Date().toISOString().replaceAll(/\D/g, "")}`;
  try {
    renameSync(path, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  for (const part of ["-wal", "-shm", "-journal"]) {
    if (existsSync(`${path}${part}`)) renameSync(`${path}${part}`, `${name}${part}`);
  }
  return name;
}

/**
 * Writes a new store under a temporary name first, so that the file at `path` is always complete. An empty file must
 * count as damaged, or lost spending would look like a day without spending.
 */
function create(path: string): void {
  const temporary = `${path}.${randomBytes(4).toString("hex")}.tmp`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(temporary, "wx", 0o600));
  try {
    const database = openFile(temporary);
    try {
      database.exec(
        `PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = DELETE; PRAGMA application_id = ${applicationId};`,
      );
      database.exec("BEGIN IMMEDIATE");
      migrate(database);
      database.exec("COMMIT");
    } finally {
      database.close();
    }
    try {
      linkSync(temporary, path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Another program created it meanwhile, or the file system has no links.
      if (code !== "EEXIST" && !existsSync(path)) renameSync(temporary, path);
    }
  } finally {
    for (const part of ["", "-journal"]) rmSync(`${temporary}${part}`, { force: true });
  }
}

/** Opens a file for writing if it can be written. */
function openAny(path: string, report: StoreReport, busyMs: number, isReading: boolean) {
  if (!isWritable(dirname(path))) {
    return { database: openReadOnly(path), canWrite: false, isForOneReading: false };
  }
  try {
    return { database: open(path, report, busyMs), canWrite: true, isForOneReading: false };
  } catch (error) {
    const isUnusable = !isDamage(error) && !isBusy(error) && !(error instanceof StoreProblem);
    // Changes in a log are not in the file yet.
    const isComplete = ["-wal", "-journal"].every((part) => sizeOf(`${path}${part}`) === 0);
    if (!isReading || !isUnusable || !isComplete) throw error;
    try {
      return { database: openReadOnly(path), canWrite: false, isForOneReading: true };
    } catch {
      throw error;
    }
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function open(path: string, report: StoreReport, busyMs: number): DatabaseSync {
  const database = openFile(path);
  try {
    database.exec(`PRAGMA busy_timeout = ${busyMs}`);
    assertOurs(database);
    if (!setJournal(database, dirname(path))) report(slowNotice(dirname(path)));
    // Overwrite deleted content, and return free pages to the disk.
    database.exec(
      "PRAGMA secure_delete = ON; PRAGMA journal_size_limit = 4194304; PRAGMA cache_size = -16000;",
    );
    if (numberOf(database, "user_version") < migrations.length) {
      database.exec("BEGIN IMMEDIATE");
      migrate(database);
      database.exec("COMMIT");
    }
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Opens a store in a folder that cannot be written. SQLite must be told that no other program writes either. */
function openReadOnly(path: string): DatabaseSync {
  const url = pathToFileURL(path);
  url.searchParams.set("immutable", "1");
  const database = openFile(url, true);
  try {
    assertOurs(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function assertOurs(database: DatabaseSync): void {
  if (numberOf(database, "application_id") !== applicationId) {
    throw new StoreProblem("damaged", "The file is no store of this extension.");
  }
  if (numberOf(database, "user_version") > migrations.length) {
    throw new StoreProblem("newer", newerText);
  }
}

const newerText = `The record of this machine was written by a newer version of Skill Registry. Update this one, or name another folder in ${homeVariable}.`;

/** Runs the migrations that the file lacks. Call it in a transaction, so that only one of two programs runs them. */
function migrate(database: DatabaseSync): void {
  for (const step of migrations.slice(numberOf(database, "user_version"))) database.exec(step);
  database.exec(`PRAGMA user_version = ${migrations.length}`);
}

/**
 * Turns on WAL mode, in which several programs read while one writes. Returns false if programs may not share memory in
 * the folder, such as on a network file system.
 */
function setJournal(database: DatabaseSync, folder: string): boolean {
  const wanted = isLocalFolder(folder) ? "wal" : "delete";
  try {
    const { journal_mode: mode } = database.prepare(`PRAGMA journal_mode = ${wanted}`).get() as {
      readonly journal_mode: string;
    };
    return mode === "wal";
  } catch (error) {
    if (isDamage(error) || isBusy(error) || wanted === "delete") throw error;
    // Some file systems of containers have no shared memory either.
    database.exec("PRAGMA journal_mode = delete");
    return false;
  }
}

function openFile(path: string | URL, isReadOnly = false): DatabaseSync {
  const sqlite = loadSqlite();
  if (sqlite === undefined) {
    throw new StoreProblem("unusable", "This Node.js has no SQLite. Update Node.js or the editor.");
  }
  return new sqlite.DatabaseSync(path, { readOnly: isReadOnly });
}

function numberOf(database: DatabaseSync, pragma: string): number {
  const row = database.prepare(`PRAGMA ${pragma}`).get() as Readonly<Record<string, number>>;
  return row[pragma] ?? 0;
}
