import { CommandError } from "../core/findings/commandError";
import { type JournalState, mustBeSent } from "../core/invocation/run/runJournal";
import { isInShard, type Shard } from "../core/invocation/run/shard";
import {
  decode,
  fileReason,
  isSystemError,
  linesOf,
  NotTextError,
  readError,
} from "../engine/files/textFile";
import { sha256 } from "../engine/sha256";
import type { InputLine } from "./lineDispatcher";

/** The inputs of a run. */
export interface RunInputs {
  /** The path of the file with the lines. */
  readonly inputs: string;
  readonly inputsName: string;
  /** The part of the lines that this run sends; undefined for all. */
  readonly shard: Shard | undefined;
  /** The lines to send again although they may have run. */
  readonly again: ReadonlySet<number>;
}

/** Reads the lines of the shard one by one. Skips empty lines. Calls `onBytes` with each line of the file. */
export async function* inputLines(
  { inputs, inputsName, shard }: RunInputs,
  onBytes: (bytes: Buffer) => void = () => undefined,
): AsyncGenerator<InputLine> {
  let line = 0;
  try {
    for await (const bytes of linesOf(inputs)) {
      line += 1;
      onBytes(bytes);
      const text = decode(bytes);
      if (text.trim() === "") continue;
      const digest = sha256(text);
      if (shard === undefined || isInShard(digest, shard)) yield { line, text, digest };
    }
  } catch (error) {
    if (error instanceof NotTextError) {
      throw new CommandError(`${inputsName}:${line} could not be read: ${fileReason(error)}.`);
    }
    throw isSystemError(error) ? readError(inputsName, error) : error;
  }
}

/** Shortens a line's digest to 52 bits, which fit into a number. An array of millions takes 8 bytes for each. */
export function shortDigest(digest: string): number {
  return Number.parseInt(digest.slice(0, 13), 16);
}

/** Returns whether a line must still be sent, according to the journal. */
export function isToSend(line: number, { again }: RunInputs, state: JournalState): boolean {
  return again.has(line) || mustBeSent(line, state);
}
