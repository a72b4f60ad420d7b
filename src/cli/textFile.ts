import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";

/** Says that a file or the standard input is not UTF-8: what cannot be read must not be guessed, and sent. */
export class NotTextError extends Error {
  constructor() {
    super("This is not UTF-8 text.");
    this.name = "NotTextError";
  }
}

/** Reads a file of text, a byte order mark with it. Rejects with the system's error or a `NotTextError`. */
export async function readText(path: string): Promise<string> {
  return decode(await readFile(path));
}

/** Reads the standard input to its end, as `readText` does a file. */
export async function readStandardInput(): Promise<string> {
  return decode(await buffer(process.stdin));
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Reads the bytes of the lines of a file one by one, without their line breaks: LF or CRLF alone, since
 * U+2028 may stand within a text of JSON. Throws the system's error.
 */
export async function* linesOf(path: string): AsyncGenerator<Buffer> {
  const stream = createReadStream(path);
  let pieces: Buffer[] = [];
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      let start = 0;
      for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
        yield lineOf([...pieces, chunk.subarray(start, end)]);
        pieces = [];
        start = end + 1;
      }
      if (start < chunk.length) pieces.push(chunk.subarray(start));
    }
    if (pieces.length > 0) yield lineOf(pieces);
  } finally {
    // The file is closed also where not all of it is read.
    stream.destroy();
  }
}

function lineOf(pieces: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat(pieces);
  return bytes.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes;
}

/** Reads bytes as UTF-8, a byte order mark with them. Throws a `NotTextError` where they are not. */
export function decode(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new NotTextError();
  }
}
