import { CommandError } from "../core/findings/commandError";
import {
  type JournalHead,
  readJournalEntry,
  readJournalHead,
} from "../core/invocation/run/journalEntry";
import { emptyJournal, type JournalState, noteEntry } from "../core/invocation/run/runJournal";
import { isSystemError, placedLinesOf, readError } from "../engine/files/textFile";
import { sha256 } from "../engine/sha256";
import { LineRanges } from "./lineRanges";

/** The content of a journal: its head, the state of its lines, and the range of each line's end. */
export interface JournalReading {
  readonly head: JournalHead;
  readonly state: JournalState;
  readonly ranges: LineRanges;
  /**
   * The offset after its last entry. The file may be longer, because of reserved bytes or an entry that a kill
   * truncated.
   */
  readonly end: number;
}

/**
 * Reads a journal. Throws a `CommandError` if the file is not a journal, is damaged, or has entries in an impossible
 * order.
 */
export async function readJournal(path: string, signal?: AbortSignal): Promise<JournalReading> {
  const ranges = new LineRanges();
  let [state, end, number]: [JournalState, number, number] = [emptyJournal, 0, 0];
  let head: JournalHead | undefined;
  try {
    for await (const { bytes, at, next } of placedLinesOf(path)) {
      signal?.throwIfAborted();
      if (next === undefined) break;
      number += 1;
      const text = bytes.toString("utf8");
      if (head === undefined) {
        head = readJournalHead(text);
        if (head === undefined) break;
      } else {
        const entry = readJournalEntry(text);
        if (entry === undefined) throw damaged(path, number);
        const after = noteEntry(state, entry, sha256);
        if (after === undefined) {
          const where = "line" in entry ? `: line ${entry.line} of the inputs` : "";
          throw new CommandError(`${path} is damaged${where} is out of order.`);
        }
        ranges.note(entry, { at, length: bytes.length });
        state = after;
      }
      end = next;
    }
  } catch (error) {
    throw isSystemError(error) ? readError(path, error) : error;
  }
  if (head === undefined) throw new CommandError(`${path} is not a run journal.`);
  return { head, state, ranges, end };
}

function damaged(path: string, number: number): CommandError {
  return new CommandError(
    `${path}:${number}: This line is damaged. Restore it, or delete it: the outcome it was about is then unknown.`,
  );
}
