import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { CsvError, parse } from "csv-parse";
import { CommandError } from "../core/findings/commandError";
import {
  type InputKind,
  inputKind,
  itemsOfList,
  payloadOfRecord,
} from "../core/invocation/run/inputKind";
import { type JournalState, mustBeSent } from "../core/invocation/run/runJournal";
import { isInShard, type Shard } from "../core/invocation/run/shard";
import type { JsonValue } from "../core/json/jsonValue";
import {
  decode,
  fileReason,
  isSystemError,
  linesOf,
  NotTextError,
  readError,
  readText,
} from "../engine/files/textFile";
import { sha256 } from "../engine/sha256";
import type { InputLine } from "./lineDispatcher";

/** The inputs of a run. */
export interface RunInputs {
  /** The path of the file with the lines. */
  readonly inputs: string;
  readonly inputsName: string;
  /** The skill's input schema, by which the cells of a table get their types. */
  readonly schema?: JsonValue | undefined;
  /** The part of the lines that this run sends; undefined for all. */
  readonly shard: Shard | undefined;
  /** The lines to send again although they may have run. */
  readonly again: ReadonlySet<number>;
}

/**
 * Reads the payloads of the shard one by one: the lines of a file, without empty ones; the records of a table, each with
 * the number of its first line; or the items of a JSON list, with their position from 1. Calls `onBytes` with each line,
 * record or item of the file. Throws a `CommandError` for any other format.
 */
export async function* inputLines(
  inputs: RunInputs,
  onBytes: (bytes: Buffer) => void = () => undefined,
): AsyncGenerator<InputLine> {
  const { inputsName, shard } = inputs;
  let line = 0;
  try {
    const kind = await readKind(inputs);
    if (kind.kind === "other") throw new CommandError(kind.message);
    const texts =
      kind.kind === "table"
        ? recordsOf(inputs, kind.delimiter)
        : kind.kind === "list"
          ? itemsOf(inputs)
          : numbered(inputs);
    for await (const { line: number, bytes } of texts) {
      line = number;
      onBytes(bytes);
      const text = decode(bytes);
      if (text.trim() === "") continue;
      const digest = sha256(text);
      if (shard === undefined || isInShard(digest, shard)) yield { line, text, digest };
    }
  } catch (error) {
    if (error instanceof NotTextError) {
      const place = line === 0 ? inputsName : `${inputsName}:${line}`;
      throw new CommandError(`${place} could not be read: ${fileReason(error)}.`);
    }
    throw isSystemError(error) ? readError(inputsName, error) : error;
  }
}

interface NumberedBytes {
  readonly line: number;
  readonly bytes: Buffer;
}

/** The part of a file that decides its format, in bytes. */
const headBytes = 65_536;

/** Throws a `CommandError` for a pipe or a terminal: the checks before the first invocation would take its lines. */
async function readKind({ inputs, inputsName, schema }: RunInputs): Promise<InputKind> {
  const stats = await stat(inputs);
  if (!stats.isFile() && !stats.isDirectory()) {
    throw new CommandError(
      `${inputsName} is not a file that can be read twice. Save the inputs in a file first.`,
    );
  }
  const file = await open(inputs);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes);
    const isWhole = bytesRead < headBytes;
    return inputKind(inputsName, buffer.subarray(0, bytesRead), isWhole, schema);
  } finally {
    await file.close();
  }
}

async function* numbered({ inputs }: RunInputs): AsyncGenerator<NumberedBytes> {
  let line = 0;
  for await (const bytes of linesOf(inputs)) {
    line += 1;
    yield { line, bytes };
  }
}

async function* recordsOf(
  { inputs, inputsName, schema }: RunInputs,
  delimiter: string,
): AsyncGenerator<NumberedBytes> {
  const write = payloadOfRecord(schema);
  const source = createReadStream(inputs);
  const parser = parse({
    bom: true,
    delimiter,
    // The cells are decoded here: the parser would replace bytes that are no UTF-8.
    encoding: null,
    info: true,
    record_delimiter: ["\r\n", "\n", "\r"],
    skip_empty_lines: true,
  });
  source.on("error", (error) => parser.destroy(error));
  let names: readonly string[] | undefined;
  let line = 1;
  try {
    for await (const { record, info } of source.pipe(parser) as AsyncIterable<CsvRecord>) {
      const cells = record.map((cell) => (typeof cell === "string" ? cell : decode(cell)));
      if (names === undefined) names = cells.map((name) => name.trim());
      else yield { line, bytes: Buffer.from(write(names, cells)) };
      line = info.lines + 1;
    }
  } catch (error) {
    if (error instanceof NotTextError) {
      throw new CommandError(`${inputsName}:${line} could not be read: ${fileReason(error)}.`);
    }
    if (!(error instanceof CsvError)) throw error;
    throw new CommandError(`${inputsName} looks like CSV, but line ${error["lines"]} is broken.`);
  } finally {
    source.destroy();
  }
}

interface CsvRecord {
  /** An empty cell is a string. */
  readonly record: readonly (Buffer | string)[];
  readonly info: { readonly lines: number };
}

async function* itemsOf({ inputs, inputsName }: RunInputs): AsyncGenerator<NumberedBytes> {
  const text = await readText(inputs);
  const items = itemsOfList(text);
  if (items === undefined) {
    throw new CommandError(`${inputsName} looks like a JSON list, but is not valid JSON.`);
  }
  for (const [index, { start, end }] of items.entries()) {
    yield { line: index + 1, bytes: Buffer.from(text.slice(start, end)) };
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
