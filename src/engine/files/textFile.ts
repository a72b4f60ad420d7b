import { createReadStream, readFileSync, type Stats, statSync, writeSync } from "node:fs";
import { open, stat } from "node:fs/promises";
import { CommandError } from "../../core/findings/commandError";
import { decodeUtf8 } from "../../core/text/decodeUtf8";
import { maxTextBytes, readAtMost } from "./repositoryFile";

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "no such file",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EISDIR: "it is a folder",
  EINVAL: "it is not a file",
  EEXIST: "this name is already taken",
  ENOTDIR: "part of its path is not a folder",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk is full",
  EMFILE: "too many files are open",
};

/** Describes why a file cannot be used, with the system's code: `permission denied (EACCES)`. */
export function fileReason(error: unknown): string {
  if (error instanceof NotTextError) return "it is not UTF-8 text";
  if (error instanceof TooLargeError) return `it is larger than ${maxTextBytes / 1_000_000} MB`;
  const { code = "unknown" } = error as NodeJS.ErrnoException;
  const reason = reasons[code];
  return reason === undefined ? `system error ${code}` : `${reason} (${code})`;
}

/** Creates the error that ends a command when a file cannot be read. */
export function readError(name: string, error: unknown): CommandError {
  return new CommandError(`${name} could not be read: ${fileReason(error)}.`);
}

/** Creates the error that ends a command when a file cannot be written. */
export function writeError(name: string, error: unknown): CommandError {
  return new CommandError(`${name} could not be written: ${fileReason(error)}.`);
}

/**
 * Writes a whole text to an open file, with several writes if the system accepts only a part. `position` is in bytes;
 * without it, writing starts at the current position. Throws the system's error.
 */
export function writeAll(file: number, text: string, position?: number): void {
  const bytes = Buffer.from(text, "utf8");
  for (let at = 0; at < bytes.length; ) {
    const place = position === undefined ? null : position + at;
    at += writeSync(file, bytes, at, bytes.length - at, place);
  }
}

/** Returns whether an error comes from the operating system. Such errors name a system call; those of bugs do not. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error && "syscall" in error;
}

/** Thrown if a file or the standard input is not UTF-8. Its text would have to be guessed, so it is never sent. */
export class NotTextError extends Error {
  /** `head` has the first bytes, which may show the format. */
  constructor(readonly head: Uint8Array) {
    super("This is not UTF-8 text.");
    this.name = "NotTextError";
  }
}

/** Thrown if a file or the standard input has more than `maxTextBytes`, or never ends. */
class TooLargeError extends Error {
  constructor() {
    super("This text is too large.");
    this.name = "TooLargeError";
  }
}

/** The size up to which a synchronous read is faster than one asynchronous step, in bytes. */
const smallBytes = 256 * 1024;

/**
 * Reads a text file, including a byte order mark. Rejects with the system's error, a `NotTextError` or a
 * `TooLargeError`.
 */
export async function readText(path: string): Promise<string> {
  // Checked asynchronously, so that Ctrl+C works while a slow disk does not answer.
  return readBySize(path, await stat(path));
}

/**
 * Reads a file that a search just found, as `readText` does. A synchronous check is fast enough, since the disk
 * answered a moment ago.
 */
export async function readFoundText(path: string): Promise<string> {
  return readBySize(path, statSync(path));
}

async function readBySize(path: string, stats: Stats): Promise<string> {
  if (stats.isFile() && stats.size > 0 && stats.size <= smallBytes) {
    return decode(readFileSync(path));
  }
  const file = await open(path);
  try {
    const bytes = await readAtMost(file, maxTextBytes);
    if (bytes === undefined) throw new TooLargeError();
    return decode(bytes);
  } finally {
    await file.close();
  }
}

/** Reads the standard input to its end, as `readText` reads a file. */
export async function readStandardInput(): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of process.stdin as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > maxTextBytes) throw new TooLargeError();
    pieces.push(piece);
  }
  return decode(Buffer.concat(pieces));
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** A line of a file: its bytes without the line break, and their offset in the file. */
interface PlacedLine {
  readonly bytes: Buffer;
  readonly at: number;
  /** The offset of the next line's start; undefined for a last line without a line break. */
  readonly next?: number;
}

/**
 * Reads the lines of a file one by one, without their line breaks. Only LF and CRLF break lines, because JSON texts may
 * contain U+2028. Throws the system's error.
 */
export async function* placedLinesOf(path: string): AsyncGenerator<PlacedLine> {
  const stream = createReadStream(path);
  let pieces: Buffer[] = [];
  let at = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      let start = 0;
      for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
        const whole = Buffer.concat([...pieces, chunk.subarray(start, end)]);
        const next = at + whole.length + 1;
        yield { bytes: withoutReturn(whole), at, next };
        at = next;
        pieces = [];
        start = end + 1;
      }
      if (start < chunk.length) pieces.push(chunk.subarray(start));
    }
    if (pieces.length > 0) yield { bytes: withoutReturn(Buffer.concat(pieces)), at };
  } finally {
    // Close the file even if the caller stops early.
    stream.destroy();
  }
}

/** Reads the lines of a file as bytes, as `placedLinesOf` does. */
export async function* linesOf(path: string): AsyncGenerator<Buffer> {
  for await (const { bytes } of placedLinesOf(path)) yield bytes;
}

function withoutReturn(bytes: Buffer): Buffer {
  return bytes.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes;
}

/** Decodes UTF-8. Throws a `NotTextError` for other bytes. */
export function decode(bytes: Buffer): string {
  try {
    return decodeUtf8(bytes);
  } catch {
    throw new NotTextError(bytes.subarray(0, 16));
  }
}
