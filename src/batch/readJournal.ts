import { open } from "node:fs/promises";
import { CommandError } from "../core/findings/commandError";
import {
  type JournalEntry,
  type JournalHead,
  readJournalEntry,
  readJournalHead,
} from "../core/invocation/run/journalEntry";
import { emptyJournal, type JournalState, noteEntry } from "../core/invocation/run/runJournal";
import { linesOf, type PlacedLine, placedLinesOf } from "../engine/files/textFile";
import { sha256 } from "../engine/sha256";
import { LinePlaces } from "./linePlaces";

/** The content of a journal: its state, and the range of each line's last entry. */
export interface JournalReading {
  readonly state: JournalState;
  readonly places: LinePlaces;
}

/** The reading of a journal without entries. */
export function emptyReading(): JournalReading {
  return { state: emptyJournal, places: new LinePlaces() };
}

/** Reads the head of a journal. Throws a `CommandError` where the file is no journal. */
export async function readHead(path: string): Promise<JournalHead> {
  for await (const bytes of linesOf(path)) {
    const head = readJournalHead(bytes.toString("utf8"));
    if (head !== undefined) return head;
    break;
  }
  throw new CommandError(`${path} is not a run journal.`);
}

/** Reads a journal. Throws a `CommandError` where it is damaged or its entries are out of order. */
export async function readJournal(path: string, signal?: AbortSignal): Promise<JournalReading> {
  await readHead(path);
  const places = new LinePlaces();
  let state = emptyJournal;
  for await (const { entry, placed } of journalEntries(path)) {
    signal?.throwIfAborted();
    const next = noteEntry(state, entry, sha256);
    if (next === undefined) {
      const where = "line" in entry ? `: line ${entry.line} of the inputs` : "";
      throw new CommandError(`${path} is damaged${where} is out of order.`);
    }
    places.note(entry, { at: placed.at, length: placed.bytes.length });
    state = next;
  }
  return { state, places };
}

/** Reads the entries of a journal one by one. Throws a `CommandError` for a damaged one. */
async function* journalEntries(
  path: string,
): AsyncGenerator<{ readonly entry: JournalEntry; readonly placed: PlacedLine }> {
  let number = 0;
  let damaged = 0;
  const requireNone = () => {
    if (damaged === 0) return;
    throw new CommandError(
      `${path}:${damaged}: This line is damaged. Restore it, or delete it: the outcome it was about is then unknown.`,
    );
  };
  for await (const placed of placedLinesOf(path)) {
    number += 1;
    requireNone();
    if (number === 1) continue;
    // A kill may truncate a character too.
    const entry = readJournalEntry(placed.bytes.toString("utf8"));
    // A line that a kill truncated has no line break, and never counted.
    if (entry === undefined) damaged = number;
    else yield { entry, placed };
  }
  if (damaged > 0 && (await endsWithLineBreak(path))) requireNone();
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
