import {
  isDeeperThan,
  type JsonObject,
  type JsonValue,
  parsedJson,
} from "../../core/json/jsonValue";
import { readLossily } from "../../core/json/lossyNumbers";
import type { LossyNumbers } from "../../core/skill/skill";
import type { Chunked } from "../../core/text/chunked";
import { JsonScanner } from "./jsonScanner";

/** Deeper than any real manifest, and shallow enough for recursive code. */
const maxDepth = 1000;

/** More values than a real response of ten megabytes has, and few enough to fit in memory. */
const maxValues = 1_000_000;

/** The maximum size of one object of a large body. V8 takes seconds to copy a larger one. */
const maxMembers = 100_000;

/** Bytes that JSON.parse parses between two pauses: a millisecond or two. */
const pieceBytes = 64_000;

/**
 * Parses a body as UTF-8, with or without a byte order mark, and replaces invalid bytes. Pauses every 64 kB. Undefined
 * if it is not JSON, is nested deeper than 1,000 levels, or has more than a million values or 100,000 members in one
 * object.
 */
export function* parseJson(bytes: Buffer): Chunked<JsonValue | undefined> {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const body = hasMark ? bytes.subarray(3) : bytes;
  if (body.length <= pieceBytes) return parsePiece(body.toString("utf8"));
  const scanner = new JsonScanner(body);
  const start = scanner.afterSpace(0);
  const largeAt = new Set<number>();
  const bounds = { maxDepth, maxValues, largeBytes: pieceBytes, largeAt };
  const end = yield* scanner.endOfValue(start, bounds);
  if (end < 0 || scanner.afterSpace(end) < body.length) return undefined;
  try {
    if (largeAt.size === 0) return JSON.parse(body.toString("utf8")) as JsonValue;
    return (yield* buildLarge(new JsonScanner(body), start, largeAt)).value;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A container that was built, and the position after it. */
interface Built {
  readonly value: JsonValue;
  readonly end: number;
}

/**
 * Builds the container that starts at `start`. Containers in `largeAt` are built recursively; JSON.parse builds runs of
 * smaller values.
 */
function* buildLarge(
  scanner: JsonScanner,
  start: number,
  largeAt: ReadonlySet<number>,
): Chunked<Built> {
  const { bytes } = scanner;
  const isObject = bytes[start] === brace;
  const items: JsonValue[] = [];
  const members: JsonObject = {};
  let count = 0;
  const setMember = (name: string, value: JsonValue) => {
    count += 1;
    if (count > maxMembers) throw new SyntaxError("An object has too many members.");
    // An assignment would set the object's prototype.
    if (name !== "__proto__") members[name] = value;
    else Object.defineProperty(members, name, { value, ...ownMember });
  };
  /** The source of small values that are not parsed yet: values, or alternating names and values. */
  let small: string[] = [];
  let smallBytes = 0;
  // Parse names and values as one list: V8 is slow at objects with many distinct names.
  const parseSmall = () => {
    const parsed = JSON.parse(`[${small.join(",")}]`) as JsonValue[];
    if (!isObject) for (const item of parsed) items.push(item);
    else
      for (let at = 0; at < parsed.length; at += 2) {
        setMember(parsed[at] as string, parsed[at + 1] ?? null);
      }
    small = [];
    smallBytes = 0;
  };
  let at = scanner.afterSpace(start + 1);
  for (;;) {
    const item = isObject ? scanner.afterName(at) : at;
    const large = largeAt.has(item)
      ? yield* buildLarge(scanner, item, largeAt)
      : yield* buildLongText(scanner, item);
    const { end } = large;
    if (large.value !== undefined) {
      parseSmall();
      if (isObject) setMember(JSON.parse(nameAt(bytes, at, item)) as string, large.value);
      else items.push(large.value);
    } else {
      if (isObject) small.push(nameAt(bytes, at, item));
      small.push(bytes.toString("utf8", item, end));
      smallBytes += end - at;
    }
    const after = scanner.afterSpace(end);
    if (bytes[after] !== comma || smallBytes > pieceBytes) {
      parseSmall();
      yield;
    }
    if (bytes[after] !== comma) {
      return { value: isObject ? members : items, end: after + 1 };
    }
    at = scanner.afterSpace(after + 1);
  }
}

/** Parses a string that is too long to be parsed in one piece. Leaves a smaller value to `parseSmall`. */
function* buildLongText(
  scanner: JsonScanner,
  start: number,
): Chunked<{ readonly value?: JsonValue; readonly end: number }> {
  const end = yield* scanner.endOfValue(start);
  if (end - start <= pieceBytes) return { end };
  const text = yield* utf8Text(scanner.bytes, start, end);
  yield;
  return { value: JSON.parse(text) as JsonValue, end };
}

/** Returns the quoted name that starts at `start`; the value after its colon starts at `value`. */
function nameAt(bytes: Buffer, start: number, value: number): string {
  const text = bytes.toString("utf8", start, value);
  return text.slice(0, text.lastIndexOf(":"));
}

const ownMember = { enumerable: true, configurable: true, writable: true };
const brace = 0x7b;
const bracket = 0x5b;
const comma = 0x2c;
const colon = 0x3a;

function parsePiece(text: string): JsonValue | undefined {
  const value = parsedJson(text);
  // Each level takes at least two characters, so a short text is never too deep.
  const mayBeDeep = value !== undefined && text.length > 2 * maxDepth;
  return mayBeDeep && isDeeperThan(value, maxDepth) ? undefined : value;
}

/**
 * The maximum number of listed numbers, since every value is compared with each. Beyond it, all numbers count as lossy.
 */
const maxLossyNumbers = 1000;
/** Bytes scanned between two pauses, as in the JSON scanner. */
const scannedBytes = 100_000;

/** Facts about a JSON body besides its value. */
interface BodySurvey {
  /** Numbers that lose digits when parsed, without duplicates. */
  readonly lossyNumbers: LossyNumbers;
  /** Whether an object repeats a name. Names that differ only in their escapes are the same. */
  readonly repeatsNames: boolean;
  readonly members: number;
  /** The number of all values, containers included. */
  readonly values: number;
}

/** Scans a JSON body once without parsing it, with pauses. */
export function* surveyBody(bytes: Buffer): Chunked<BodySurvey> {
  const scanner = new JsonScanner(bytes);
  const found = new Set<number>();
  /** The names of each open object; undefined for an open list. */
  const open: (Set<string> | undefined)[] = [];
  let repeatsNames = false;
  let members = 0;
  let values = 1;
  let pauseAt = scannedBytes;
  for (let at = 0; at < bytes.length; ) {
    if (at > pauseAt) {
      pauseAt = at + scannedBytes;
      yield;
    }
    const byte = bytes[at] ?? 0;
    if (byte === quote) {
      const end = scanner.endOfString(at);
      if (end < 0) break;
      const names = bytes[scanner.afterSpace(end)] === colon ? open.at(-1) : undefined;
      if (names !== undefined && !repeatsNames) {
        const name = stringAt(bytes, at, end);
        repeatsNames = names.has(name);
        names.add(name);
      }
      at = end;
    } else if (isOfNumber(byte) && found.size <= maxLossyNumbers) {
      const start = at;
      let hasExponent = false;
      for (; isOfNumber(bytes[at] ?? 0) || isExponent(bytes[at] ?? 0); at += 1) {
        hasExponent ||= isExponent(bytes[at] ?? 0);
      }
      if (at - start <= shortNumber && !hasExponent) continue;
      const literal = bytes.toString("latin1", start, at);
      if (readLossily(literal) === undefined) continue;
      found.add(Number(literal));
    } else {
      if (byte === colon) members += 1;
      else if (byte === comma || byte === bracket || byte === brace) values += 1;
      if (byte === brace) open.push(new Set());
      else if (byte === bracket) open.push(undefined);
      else if (byte === closingBrace || byte === closingBracket) open.pop();
      at += 1;
    }
  }
  const lossyNumbers = found.size > maxLossyNumbers ? "many" : [...found];
  return { lossyNumbers, repeatsNames, members, values };
}

/** Returns the string between two positions with its escapes decoded, since a name can be escaped in several ways. */
function stringAt(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString("utf8", start + 1, end - 1);
  return text.includes("\\") ? (JSON.parse(`"${text}"`) as string) : text;
}

const closingBrace = 0x7d;
const closingBracket = 0x5d;

/** Numbers of this many digits are always exact. */
const shortNumber = 15;
const quote = 0x22;

/**
 * Accepts digits, `+`, `-` and `.`. Does not accept the `e` of an exponent, which is also a letter of `true` and
 * `false`.
 */
function isOfNumber(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2e || byte === 0x2d || byte === 0x2b;
}

function isExponent(byte: number): boolean {
  return byte === 0x65 || byte === 0x45;
}

/** Decoding this many bytes of non-ASCII letters takes some milliseconds. */
const sliceBytes = 500_000;

/**
 * Decodes UTF-8 like Buffer's toString, which replaces invalid bytes. Pauses between slices; no slice starts inside a
 * character.
 */
export function* utf8Text(
  bytes: Buffer,
  start: number,
  end: number,
  length = sliceBytes,
): Chunked<string> {
  const parts: string[] = [];
  let at = start;
  for (; end - at > length; yield) {
    const next = characterStart(bytes, at + length);
    parts.push(bytes.toString("utf8", at, next));
    at = next;
  }
  parts.push(bytes.toString("utf8", at, end));
  // With `+`, the first access to the text would copy all of it.
  return parts.join("");
}

/** Moves back to the start of a character. A fourth continuation byte is invalid anyway. */
function characterStart(bytes: Buffer, at: number): number {
  for (let start = at; start > at - 4; start -= 1) {
    if (((bytes[start] ?? 0) & 0xc0) !== 0x80) return start;
  }
  return at;
}
