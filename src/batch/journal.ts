import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
} from "node:fs";
import { stat } from "node:fs/promises";
import { promisify } from "node:util";
import { CommandError } from "../core/findings/commandError";
import { exitCodes } from "../core/findings/report";
import {
  type JournalEntry,
  type JournalHead,
  type LineEnd,
  writeJournalEntry,
} from "../core/invocation/run/journalEntry";
import {
  emptyJournal,
  isUnused,
  type JournalState,
  noteEntry,
} from "../core/invocation/run/runJournal";
import { oneLine } from "../core/text/plainText";
import { isSystemError, writeAll, writeError } from "../engine/files/textFile";
import { sha256 } from "../engine/sha256";
import { lockJournal } from "./journalLock";
import { type ByteRange, LineRanges } from "./lineRanges";
import { type JournalReading, readJournal } from "./readJournal";

/**
 * Bytes reserved for the end of each open line, without its output. A full disk then loses no end of a sent line. The
 * longest texts of an end are an ID of 500 characters and a code of 100.
 */
const reservedForEnd = 2_048;
/** Bytes to reserve at once. Each reservation is a write, so few large ones are cheaper. */
const reservedAtOnce = 65_536;

const flushFile = promisify(fdatasync);

/** The journal of one run until `close`: the state of each line, including lines that may have cost money. */
export class Journal {
  private current: JournalState;
  private readonly ranges: LineRanges;
  private end: number;
  private reserved: number;
  private flushing: Promise<void> = Promise.resolve();
  /** Starts after `flushing` has ended. It serves every request made until then. */
  private nextFlush: Promise<void> | undefined;

  private constructor(
    private readonly path: string,
    private readonly file: number,
    found: JournalReading | undefined,
    private readonly unlock: () => void,
  ) {
    this.current = found?.state ?? emptyJournal;
    this.ranges = found?.ranges ?? new LineRanges();
    this.end = found?.end ?? 0;
    this.reserved = this.end;
    ftruncateSync(file, this.end);
  }

  /**
   * Opens a journal: a new one, or with `resume` the existing one, which must have the same inputs and skill. Starts
   * over if no line has run. Removes a last line that a kill truncated; it never counted. Throws a `CommandError` if
   * another run writes the journal, or if it is damaged or a link.
   */
  static async open(path: string, head: JournalHead, resume: boolean): Promise<Journal> {
    const unlock = lockJournal(path);
    try {
      refuseLink(path);
      const found = await findJournal(path, head, resume);
      const file = openFile(path, found === undefined ? "w+" : "r+");
      try {
        const journal = new Journal(path, file, found, unlock);
        if (found === undefined) journal.append(headLine(head));
        return journal;
      } catch (error) {
        closeSync(file);
        throw error;
      }
    } catch (error) {
      unlock();
      throw error;
    }
  }

  state(): JournalState {
    return this.current;
  }

  /** Returns a line's last entry as written. Undefined without an entry, or if the entry only records the sending. */
  endOf(line: number): string | undefined {
    const place = this.ranges.get(line);
    return place && textAt(this.file, place);
  }

  /**
   * Writes an entry. An end reaches the disk with the next flush; after a power failure, a lost end reads as unknown.
   * Throws a `CommandError` if it cannot be written.
   */
  note(entry: JournalEntry, outputText?: string): void {
    const isEnd = entry.kind === "ended" || entry.kind === "notRun";
    try {
      this.write(entry, outputText);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      const failure = writeError(this.path, error);
      throw isEnd
        ? this.noteWithoutOutput(entry, failure.message, outputText !== undefined)
        : nothingMoreSent(failure);
    }
  }

  /**
   * Waits until everything written before is on the disk. One flush serves all lines that are about to be sent, since
   * eight flushes together take a disk as long as one. Rejects with a `CommandError`.
   */
  flush(): Promise<void> {
    this.nextFlush ??= this.flushing.then(() => {
      this.nextFlush = undefined;
      const flushed = flushFile(this.file).catch((error: unknown) => {
        throw nothingMoreSent(writeError(this.path, error));
      });
      this.flushing = flushed.catch(() => undefined);
      return flushed;
    });
    return this.nextFlush;
  }

  /** Frees the reserved bytes. Deletes the file if no line was started. */
  async close(): Promise<void> {
    await this.flushing;
    try {
      ftruncateSync(this.file, this.end);
      fdatasyncSync(this.file);
    } finally {
      closeSync(this.file);
      if (this.current.lastLine === 0) rmSync(this.path, { force: true });
      this.unlock();
    }
  }

  private write(entry: JournalEntry, outputText?: string): void {
    const next = noteEntry(this.current, entry, sha256);
    if (next === undefined) throw new Error(`The journal cannot continue with ${entry.kind}.`);
    const text = writeJournalEntry(entry, outputText);
    const isStart = entry.kind === "started" || entry.kind === "again";
    if (isStart) this.reserve(Buffer.byteLength(text) + reservedForEnd * next.open.size);
    const at = this.end;
    this.append(text);
    // Updated after writing: an entry that could not be written does not count.
    this.current = next;
    this.ranges.note(entry, { at, length: this.end - at - 1 });
  }

  private noteWithoutOutput(entry: LineEnd, message: string, hasOutput: boolean): CommandError {
    const { line, status, invocationId } = entry;
    const id = invocationId === undefined ? "" : `, invocation ID ${oneLine(invocationId)}`;
    const ended = `${message} Line ${line} ended with “${status}”${id}`;
    try {
      this.write(entry);
      const which = hasOutput ? "; its output is missing from the journal" : "";
      return new CommandError(`${ended}${which}.`);
    } catch {
      // The line counts as unknown, and only this message reports its end.
      return new CommandError(`${ended}, which is missing from the journal.`, exitCodes.unknown);
    }
  }

  /** Writes spaces after the end of the file. They do not count as a line. */
  private reserve(bytes: number): void {
    const missing = this.end + bytes - this.reserved;
    if (missing <= 0) return;
    const take = (taken: number) => {
      writeAll(this.file, " ".repeat(taken), this.reserved);
      this.reserved += taken;
    };
    try {
      take(Math.max(missing, reservedAtOnce));
    } catch {
      // The disk may still have room for the entry itself.
      take(missing);
    }
  }

  private append(text: string): void {
    try {
      writeAll(this.file, text, this.end);
    } catch (error) {
      // A partial write may have overwritten the end. The end is then written again first.
      this.reserved = this.end;
      throw error;
    }
    this.end += Buffer.byteLength(text);
    this.reserved = Math.max(this.reserved, this.end);
  }
}

/** Reads a text from an open file. */
export function textAt(file: number, { at, length }: ByteRange): string {
  const bytes = Buffer.alloc(length);
  for (let read = 0; read < length; ) {
    const count = readSync(file, bytes, read, length - read, at + read);
    if (count === 0) throw new Error("The journal was cut while it was used.");
    read += count;
  }
  return bytes.toString("utf8");
}

/** Reads the journal to resume. Undefined if a new one starts. Changes nothing. */
async function findJournal(
  path: string,
  wanted: JournalHead,
  resume: boolean,
): Promise<JournalReading | undefined> {
  const { size } = await stat(path).catch(() => ({ size: -1 }));
  // A kill may have left only part of the first line.
  const line = Buffer.from(headLine(wanted));
  const isTornHead = size < line.length && size >= 0 && line.indexOf(readFileSync(path)) === 0;
  if (size < 0 || isTornHead) return undefined;
  if (!resume) {
    const isStartedOver = await readJournal(path).then(
      ({ state }) => isUnused(state),
      () => false,
    );
    if (isStartedOver) return undefined;
    throw new CommandError(
      `${path} already exists. Continue with --resume, or delete it to start over.`,
    );
  }
  const found = await readJournal(path);
  const { head } = found;
  for (const name of ["skill", "version", "registry", "shard"] as const) {
    if (head[name] === wanted[name]) continue;
    const [before, now] = [head[name] || "none", wanted[name] || "none"];
    throw new CommandError(`${path} belongs to another run: ${name} is ${before}, not ${now}.`);
  }
  return found;
}

/** Refuses a link, through which a repository could redirect the journal to another file. */
function refuseLink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  throw new CommandError(`${path} is a link. Remove it, or name another file with --journal.`);
}

function openFile(path: string, flags: "r+" | "w+"): number {
  try {
    return openSync(path, flags, 0o600);
  } catch (error) {
    throw writeError(path, error);
  }
}

function headLine(head: JournalHead): string {
  return `${JSON.stringify(head)}\n`;
}

function nothingMoreSent({ message }: Error): CommandError {
  return new CommandError(`${message} Nothing more was sent.`);
}
