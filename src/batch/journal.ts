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
 * The bytes to reserve for the end of each open line, without its output. So even a full disk loses no end. The longest
 * texts of an end are an ID of 500 characters and a code of 100.
 */
const reservedForEnd = 2_048;
/** The bytes to reserve at once. Each reservation is a write, so a few large ones are cheaper. */
const reservedAtOnce = 65_536;

const flushFile = promisify(fdatasync);

/** The journal of a run. It has the state of each line, including lines that may have cost money. */
export class Journal {
  private current: JournalState;
  private readonly ranges: LineRanges;
  private end: number;
  private reserved: number;
  private flushing: Promise<void> = Promise.resolve();
  /** The flush after the one in progress. Everybody who requests a flush until then shares it. */
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
   * Opens a journal. With `resume`, continues the existing one, which must have the same inputs and skill; otherwise
   * starts a new one. Overwrites a journal in which no line has run. Removes a last line that a kill truncated, since
   * it never counted. Throws a `CommandError` if another run uses the journal, or if it is damaged or a link.
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

  /** Returns a line's last end as written. Undefined if the line has no end, or was sent again since. */
  endOf(line: number): string | undefined {
    const place = this.ranges.get(line);
    return place && textAt(this.file, place);
  }

  /**
   * Writes an entry. An end reaches the disk with the next flush; if a power failure loses it, the outcome is unknown.
   * Throws a `CommandError` if the entry cannot be written.
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
   * Waits until everything written so far is on the disk. Lines that are about to be sent share a flush, because a
   * flush takes equally long for one line and for eight. Rejects with a `CommandError`.
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

  /** Removes the reserved bytes. Deletes the file if no line was started and none was planned. */
  async close(): Promise<void> {
    await this.flushing;
    try {
      ftruncateSync(this.file, this.end);
      fdatasyncSync(this.file);
    } finally {
      closeSync(this.file);
      const { lastLine, lines } = this.current;
      if (lastLine === 0 && lines === undefined) rmSync(this.path, { force: true });
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
    // Update the state after writing, since an entry that could not be written does not count.
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
      // The journal lacks the end, so the line counts as unknown. Only this message reports it.
      return new CommandError(`${ended}, which is missing from the journal.`, exitCodes.unknown);
    }
  }

  /** Reserves bytes by writing spaces after the last entry. They do not count as a line. */
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
      // The disk may still have room for the entry alone.
      take(missing);
    }
  }

  private append(text: string): void {
    try {
      writeAll(this.file, text, this.end);
    } catch (error) {
      // A part of the text may have overwritten reserved bytes, so they must be reserved again.
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

/** Reads the journal that continues. Returns undefined if a new one must start. Changes nothing. */
async function findJournal(
  path: string,
  wanted: JournalHead,
  resume: boolean,
): Promise<JournalReading | undefined> {
  const { size } = await stat(path).catch(() => ({ size: -1 }));
  // After a kill, the file may have only a part of its first line.
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

/** Rejects a link. A repository could use it to redirect the journal to another file. */
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
