import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { exitCodes } from "../../../core/findings/report";
import {
  emptyJournal,
  type JournalEntry,
  type JournalHead,
  type JournalState,
  noteEntry,
  readJournalEntry,
  readJournalHead,
  writeJournalEntry,
} from "../../../core/invocation/runJournal";
import { oneLine } from "../../../core/text/plainText";
import { CliError } from "../../command";
import { sha256 } from "../../openRegistry";
import { linesOf, writeAll, writeError } from "../../textFile";

/** A journal that one run writes, until `close`. Whatever was noted is on the disk when that returns. */
export interface JournalFile {
  /** What it says so far. */
  readonly state: () => JournalState;
  readonly note: (entry: JournalEntry, outputText?: string) => void;
  readonly close: () => void;
}

/**
 * Opens a journal: a new one, or with `resume` the one that is there, which must be about the same. A
 * line that a kill cut off at its end never counted, and is removed. Throws a `CliError` where another
 * run writes it, or it is damaged.
 */
export async function openJournal(
  path: string,
  head: JournalHead,
  resume: boolean,
): Promise<JournalFile> {
  const unlock = lock(`${path}.lock`);
  try {
    if (resume) await requireJournal(path, head);
    const file = openJournalFile(path, resume);
    let state = emptyJournal;
    if (cutTornLine(file) === 0) writeHead(path, file, head);
    else state = await readState(path, head);
    return {
      state: () => state,
      note: (entry, outputText) => {
        const next = noteEntry(state, entry, sha256);
        if (next === undefined) throw new Error(`The journal cannot continue with ${entry.kind}.`);
        try {
          append(file, writeJournalEntry(entry, outputText));
        } catch (error) {
          throw unwritten(path, entry, error);
        }
        state = next;
      },
      close: () => {
        closeSync(file);
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Reads the entries of a journal one by one, with the lines they stand in. Throws a `CliError` for a damaged one. */
export async function* journalEntries(path: string) {
  let number = 0;
  let damaged = 0;
  for await (const bytes of linesOf(path)) {
    number += 1;
    if (damaged > 0) throw new CliError(`${path}:${damaged}: This line is damaged.`);
    if (number === 1) continue;
    // A kill may cut a character too.
    const text = bytes.toString("utf8");
    const entry = readJournalEntry(text);
    // The last line may be cut off by a kill: then it never counted.
    if (entry === undefined) damaged = number;
    else yield { entry, text };
  }
}

/** Reads what a journal is about. Throws a `CliError` where it is none. */
export async function journalHead(path: string): Promise<JournalHead> {
  for await (const bytes of linesOf(path)) {
    const head = readJournalHead(bytes.toString("utf8"));
    if (head !== undefined) return head;
    break;
  }
  throw new CliError(`${path} is not a run journal.`);
}

/**
 * Throws a `CliError` where a file is there that is no journal of a run, before anything of it is cut off. A kill may
 * have left a part of the first line alone.
 */
async function requireJournal(path: string, head: JournalHead): Promise<void> {
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size === 0) return;
  const line = headLine(head);
  const isTornHead =
    size <= Buffer.byteLength(line) && line.startsWith(await readFile(path, "utf8"));
  if (!isTornHead) await journalHead(path);
}

async function readState(path: string, wanted: JournalHead): Promise<JournalState> {
  const head = await journalHead(path);
  for (const name of ["skill", "version", "registry", "shard"] as const) {
    if (head[name] === wanted[name]) continue;
    const [before, now] = [head[name] || "none", wanted[name] || "none"];
    throw new CliError(`${path} belongs to another run: ${name} is ${before}, not ${now}.`);
  }
  let state = emptyJournal;
  for await (const { entry } of journalEntries(path)) {
    const next = noteEntry(state, entry, sha256);
    if (next === undefined) {
      throw new CliError(`${path} is damaged: line ${entry.line} of the inputs is out of order.`);
    }
    state = next;
  }
  return state;
}

function openJournalFile(path: string, resume: boolean): number {
  try {
    return openSync(path, resume ? "a+" : "ax+", 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EEXIST") throw writeError(path, error);
    throw new CliError(
      `${path} already exists. Continue with --resume, or delete it to start over.`,
    );
  }
}

/** Removes what follows the last line break, and returns the remaining length. */
function cutTornLine(file: number): number {
  const { size } = fstatSync(file);
  const piece = Buffer.alloc(65_536);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - piece.length);
    readSync(file, piece, 0, end - start, start);
    const at = piece.subarray(0, end - start).lastIndexOf(0x0a);
    if (at >= 0) {
      if (start + at + 1 < size) ftruncateSync(file, start + at + 1);
      return start + at + 1;
    }
    end = start;
  }
  ftruncateSync(file, 0);
  return 0;
}

function headLine(head: JournalHead): string {
  return `${JSON.stringify(head)}\n`;
}

function writeHead(path: string, file: number, head: JournalHead): void {
  try {
    append(file, headLine(head));
  } catch (error) {
    throw writeError(path, error);
  }
}

/**
 * An invocation that was sent and is not in the journal counts as unknown: only this message reports how it
 * ended.
 */
function unwritten(path: string, entry: JournalEntry, error: unknown): CliError {
  const { message } = writeError(path, error);
  if (entry.kind === "started") return new CliError(`${message} Nothing more was sent.`);
  const { line, status, invocationId } = entry;
  const id = invocationId === undefined ? "" : `, invocation ID ${oneLine(invocationId)}`;
  return new CliError(
    `${message} Line ${line} ended with “${status}”${id}, which is missing from the journal.`,
    exitCodes.unknown,
  );
}

/** On the disk before it returns: what is sent next may cost money, and must leave a trace. */
function append(file: number, text: string): void {
  writeAll(file, text);
  fdatasyncSync(file);
}

/** Two runs of one journal would send every line twice. Returns a function that unlocks. */
function lock(path: string): () => void {
  const write = () => {
    const file = openSync(path, "wx", 0o600);
    try {
      writeSync(file, String(process.pid));
    } catch (error) {
      rmSync(path, { force: true });
      throw error;
    } finally {
      closeSync(file);
    }
  };
  try {
    write();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EEXIST") throw writeError(path, error);
    const holder = Number(readFileSync(path, "utf8"));
    if (isRunning(holder)) {
      throw new CliError(
        `Process ${holder} is using this journal. If it is not a run, delete ${path}.`,
      );
    }
    rmSync(path, { force: true });
    write();
  }
  return () => rmSync(path, { force: true });
}

function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return pid !== process.pid;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
