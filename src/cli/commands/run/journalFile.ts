import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
} from "node:fs";
import { open, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { exitCodes } from "../../../core/findings/report";
import {
  type JournalEntry,
  type JournalHead,
  readJournalEntry,
  readJournalHead,
  writeJournalEntry,
} from "../../../core/invocation/run/journalEntry";
import {
  emptyJournal,
  isUnused,
  type JournalState,
  noteEntry,
} from "../../../core/invocation/run/runJournal";
import { oneLine } from "../../../core/text/plainText";
import { sha256 } from "../../../engine/sha256";
import {
  linesOf,
  type PlacedLine,
  placedLinesOf,
  writeAll,
  writeError,
} from "../../files/textFile";
import { CliError } from "../../terminal";
import { takeLock } from "./journalLock";

/** The entry with which a line is about to leave. */
type JournalStart = Extract<JournalEntry, { kind: "started" | "again" }>;

/** A journal that one run writes, until `close`. */
export interface JournalFile {
  /** What it says so far. */
  readonly state: () => JournalState;
  /**
   * Writes a start. Resolves once it is on the disk, with all that were written before it. Throws and rejects with a
   * `CliError` where that fails.
   */
  readonly start: (entry: JournalStart) => Promise<void>;
  /**
   * Writes any other entry, which is on the disk at the latest with the next start: an end that is lost with the
   * machine's power has an unknown outcome. Throws a `CliError` where it cannot be written.
   */
  readonly note: (entry: Exclude<JournalEntry, JournalStart>, outputText?: string) => void;
  /** Resolves once all that was written is on the disk. Rejects with a `CliError` where that fails. */
  readonly flush: () => Promise<void>;
  /** Leaves no file where no line was started. */
  readonly close: () => Promise<void>;
}

/**
 * Opens a journal: a new one, or with `resume` the one that is there, which must be about the same. One in
 * which no line has run is started over. A line that a kill cut off at its end never counted, and is removed.
 * Throws a `CliError` where another run writes it, it is damaged, or it is a link.
 */
export async function openJournal(
  path: string,
  head: JournalHead,
  resume: boolean,
): Promise<JournalFile> {
  const unlock = await lock(path);
  try {
    refuseLink(path);
    const found = await findJournal(path, head, resume);
    const file = openFile(path, found === undefined ? "w+" : "r+");
    try {
      const writer = new JournalWriter(path, file, found === undefined ? 0 : cutTornLine(file));
      if (found === undefined) writer.writeHead(head);
      let state = found ?? emptyJournal;
      const note = (entry: JournalEntry, outputText?: string) => {
        const next = noteEntry(state, entry, sha256);
        if (next === undefined) throw new Error(`The journal cannot continue with ${entry.kind}.`);
        writer.write(entry, outputText, next.open.size, () => {
          state = next;
        });
      };
      return {
        state: () => state,
        start: (entry) => {
          note(entry);
          return writer.flush();
        },
        note,
        flush: () => writer.flush(),
        close: async () => {
          await writer.close();
          if (state.lastLine === 0) rmSync(path, { force: true });
          await unlock();
        },
      };
    } catch (error) {
      closeSync(file);
      throw error;
    }
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** Reads the entries of a journal one by one. Throws a `CliError` for a damaged one. */
async function* journalEntries(path: string) {
  let number = 0;
  let damaged = 0;
  const requireNone = () => {
    if (damaged === 0) return;
    throw new CliError(
      `${path}:${damaged}: This line is damaged. Restore it, or delete it: the outcome it was about is then unknown.`,
    );
  };
  for await (const placed of placedLinesOf(path)) {
    number += 1;
    requireNone();
    if (number === 1) continue;
    // A kill may cut a character too.
    const entry = readJournalEntry(placed.bytes.toString("utf8"));
    // What a kill cut off has no line break, and never counted.
    if (entry === undefined) damaged = number;
    else yield { entry, placed };
  }
  if (damaged > 0 && (await endsWithLineBreak(path))) requireNone();
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

/** Reads how a journal stands; `heed` hears of each entry, and its line in the file. Throws a `CliError` where its entries do not follow each other. */
export async function journalState(
  path: string,
  heed: (entry: JournalEntry, placed: PlacedLine) => void = () => undefined,
): Promise<JournalState> {
  let state = emptyJournal;
  for await (const { entry, placed } of journalEntries(path)) {
    const next = noteEntry(state, entry, sha256);
    if (next === undefined) {
      const where = "line" in entry ? `: line ${entry.line} of the inputs` : "";
      throw new CliError(`${path} is damaged${where} is out of order.`);
    }
    heed(entry, placed);
    state = next;
  }
  return state;
}

/** Reads the journal to go on with; undefined where a new one begins. Changes nothing. */
async function findJournal(
  path: string,
  wanted: JournalHead,
  resume: boolean,
): Promise<JournalState | undefined> {
  const { size } = await stat(path).catch(() => ({ size: -1 }));
  // A kill may have left a part of the first line alone.
  const line = Buffer.from(headLine(wanted));
  const isTornHead = size < line.length && size >= 0 && line.indexOf(readFileSync(path)) === 0;
  if (size < 0 || isTornHead) return undefined;
  if (!resume) {
    const isStartedOver = await journalHead(path)
      .then(() => journalState(path))
      .then(isUnused, () => false);
    if (isStartedOver) return undefined;
    throw new CliError(
      `${path} already exists. Continue with --resume, or delete it to start over.`,
    );
  }
  const head = await journalHead(path);
  for (const name of ["skill", "version", "registry", "shard"] as const) {
    if (head[name] === wanted[name]) continue;
    const [before, now] = [head[name] || "none", wanted[name] || "none"];
    throw new CliError(`${path} belongs to another run: ${name} is ${before}, not ${now}.`);
  }
  return journalState(path);
}

/** A journal that a repository brings as a link would be written wherever it leads. */
function refuseLink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  throw new CliError(`${path} is a link. Remove it, or name another file with --journal.`);
}

function openFile(path: string, flags: "r+" | "w+"): number {
  try {
    return openSync(path, flags, 0o600);
  } catch (error) {
    throw writeError(path, error);
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
  return 0;
}

function headLine(head: JournalHead): string {
  return `${JSON.stringify(head)}\n`;
}

async function endsWithLineBreak(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    return buffer[0] === 0x0a;
  } finally {
    await file.close();
  }
}

/**
 * Room for the ends of the lines that are open, without their outputs, taken with each start: what is sent must not be
 * lost because the disk is full. The longest texts of an end are an ID of 500 characters and a code of 100.
 */
const roomForEnd = 2_048;

const flushFile = promisify(fdatasync);

function nothingMoreSent({ message }: Error): CliError {
  return new CliError(`${message} Nothing more was sent.`);
}

/** Writes a journal from `end` on: what is sent may cost money. */
class JournalWriter {
  private flushing: Promise<void> = Promise.resolve();
  /** Begins once `flushing` has ended, for all who ask until then. */
  private nextFlush: Promise<void> | undefined;

  constructor(
    private readonly path: string,
    private readonly file: number,
    private end: number,
  ) {}

  writeHead(head: JournalHead): void {
    try {
      this.append(headLine(head));
    } catch (error) {
      throw writeError(this.path, error);
    }
  }

  /** `written` is called once the entry counts, which it may do without its output. */
  write(
    entry: JournalEntry,
    outputText: string | undefined,
    openLines: number,
    written: () => void,
  ): void {
    try {
      const isStart = entry.kind === "started" || entry.kind === "again";
      const room = isStart ? " ".repeat(roomForEnd * openLines) : "";
      this.append(writeJournalEntry(entry, outputText), room);
      written();
    } catch (error) {
      const failure = writeError(this.path, error);
      if (entry.kind !== "ended" && entry.kind !== "notRun") throw nothingMoreSent(failure);
      const { message } = failure;
      throw this.writeWithoutOutput(entry, message, outputText !== undefined, written);
    }
  }

  /**
   * Waits until all that was written before is on the disk: a disk takes as long for eight lines that are about to
   * leave as for one. Rejects with a `CliError` where it fails.
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

  /** Frees what was kept free. */
  async close(): Promise<void> {
    await this.flushing;
    try {
      ftruncateSync(this.file, this.end);
      fdatasyncSync(this.file);
    } finally {
      closeSync(this.file);
    }
  }

  private writeWithoutOutput(
    entry: Extract<JournalEntry, { kind: "ended" | "notRun" }>,
    message: string,
    hasOutput: boolean,
    written: () => void,
  ): CliError {
    const { line, status, invocationId } = entry;
    const id = invocationId === undefined ? "" : `, invocation ID ${oneLine(invocationId)}`;
    const ended = `${message} Line ${line} ended with “${status}”${id}`;
    try {
      this.append(writeJournalEntry(entry));
      written();
      const which = hasOutput ? "; its output is missing from the journal" : "";
      return new CliError(`${ended}${which}.`);
    } catch {
      // The line counts as unknown: only this message reports how it ended.
      return new CliError(`${ended}, which is missing from the journal.`, exitCodes.unknown);
    }
  }

  /** The text alone counts; the next one takes the place of what is behind it. */
  private append(text: string, behind = ""): void {
    writeAll(this.file, text + behind, this.end);
    this.end += Buffer.byteLength(text);
  }
}

/** No end of its own: a run takes as long as it takes. */
const noEnd = Number.MAX_SAFE_INTEGER;

/** Two runs of one journal would send every line twice. Resolves to a function that unlocks. */
async function lock(journal: string): Promise<() => Promise<void>> {
  const path = `${journal}.lock`;
  await stat(dirname(path)).catch((error: unknown) => {
    throw writeError(path, error);
  });
  const answer = await takeLock(path, noEnd);
  if (answer.kind === "taken") return answer.release;
  if (answer.kind === "unavailable") throw writeError(path, answer.error);
  throw new CliError(
    answer.pid === undefined
      ? `Another process is about to use ${journal}. Try again.`
      : `Process ${answer.pid} is using ${journal}. If it is not a run, delete ${path}.`,
  );
}
