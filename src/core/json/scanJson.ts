import { type LossyNumber, LossyNumbers } from "./lossyNumbers";

/** A stretch of text in UTF-16 offsets, `end` exclusive. */
export interface TextRange {
  start: number;
  end: number;
}

/**
 * The range of one value that a scan of its text should find, with the requested ranges below it. The scan
 * fills in `value`, and `key` where the value is a property's.
 */
export class RequestedRange {
  value: TextRange | undefined;
  key: TextRange | undefined;
  children: Map<string | number, RequestedRange> | undefined;

  /** Requests the value one step below: a property name, or an index as a number. */
  below(step: string | number): RequestedRange {
    this.children ??= new Map();
    const known = this.children.get(step);
    if (known !== undefined) return known;
    const made = new RequestedRange();
    this.children.set(step, made);
    return made;
  }
}

/** What a scan of a text found. The lists are bounded, the rest is counted. */
export interface JsonScan {
  duplicateKeys: DuplicateKey[];
  lossyNumbers: LossyNumber[];
  /** All numbers that lose digits, as they are read, and whether none of them has a fraction. */
  lossyValues: ReadonlyMap<number, boolean>;
  hidden: number;
}

/**
 * Scans a text that is valid JSON, once and without building anything: fills in the requested ranges, and
 * finds duplicate keys and numbers that lose digits. Of duplicate keys the last one counts, as in every JSON
 * parser.
 */
export function scanJson(text: string, root: RequestedRange, limit: number): JsonScan {
  const duplicates = new DuplicateKeys(text, limit);
  const lossy = new LossyNumbers(text, limit);
  visitRequested(text, root, { duplicates, lossy });
  return {
    duplicateKeys: duplicates.found,
    lossyNumbers: lossy.found,
    lossyValues: lossy.readAs,
    hidden: duplicates.hidden + lossy.hidden,
  };
}

interface OpenValue {
  requested: RequestedRange;
  isObject: boolean;
  index: number;
}

/** Visits one requested range after the other and skips every value without one. */
function visitRequested(text: string, root: RequestedRange, watch: TextWatch): void {
  const codes = textCodes(text);
  const open: OpenValue[] = [];
  let requested: RequestedRange | undefined = root;
  let at = 0;
  for (;;) {
    at = nextSign(codes, at);
    if (at >= text.length) return;
    const code = codes[at] ?? 0;
    const inside = open[open.length - 1];
    if (code === comma) {
      at += 1;
      if (inside === undefined) continue;
      inside.index += 1;
      requested = undefined;
    } else if (code === closeBrace || code === closeBracket) {
      at += 1;
      open.pop();
      if (inside?.isObject) watch.duplicates.leaveObject();
      if (inside?.requested.value !== undefined) inside.requested.value.end = at;
      requested = undefined;
    } else if (inside?.isObject && requested === undefined) {
      const end = passKey(codes, at, watch.duplicates);
      const name = JSON.parse(text.slice(at, end)) as string;
      requested = inside.requested.children?.get(name);
      if (requested !== undefined) requested.key = { start: at, end };
      at = nextSign(codes, end);
      if (requested === undefined) at = skipValue(codes, at, watch);
    } else {
      requested ??= inside?.requested.children?.get(inside.index);
      const isOpening = code === openBrace || code === openBracket;
      const start = at;
      if (isOpening && requested?.children !== undefined) {
        at += 1;
        open.push({ requested, isObject: code === openBrace, index: 0 });
        if (code === openBrace) watch.duplicates.enterObject();
      } else at = skipValue(codes, at, watch);
      if (requested !== undefined) requested.value = { start, end: at };
      requested = undefined;
    }
  }
}

/** The offset of the next character that is neither white space nor a colon. */
function nextSign(codes: TextCodes, from: number): number {
  let at = from;
  for (let code = codes[at] ?? 0; code === colon || isSpace(code); code = codes[at] ?? 0) at += 1;
  return at;
}

function isSpace(code: number): boolean {
  return code <= space && code > 0;
}

/** What a pass over a text looks for on its way. */
interface TextWatch {
  duplicates: DuplicateKeys;
  lossy: LossyNumbers;
}

/**
 * Skips one value of a text that is valid JSON, noting duplicate keys and lossy numbers. Returns the offset
 * after the value. Nearly all of a large text is skipped here, so this loop does nothing else.
 */
function skipValue(codes: TextCodes, from: number, watch: TextWatch): number {
  const { duplicates, lossy } = watch;
  const isObject: boolean[] = [];
  let depth = 0;
  let expectsKey = false;
  let at = from;
  do {
    const code = codes[at] ?? 0;
    switch (code) {
      case openBrace:
        duplicates.enterObject();
        isObject[depth] = true;
        depth += 1;
        expectsKey = true;
        at += 1;
        break;
      case openBracket:
        isObject[depth] = false;
        depth += 1;
        expectsKey = false;
        at += 1;
        break;
      case closeBrace:
        duplicates.leaveObject();
        depth -= 1;
        expectsKey = false;
        at += 1;
        break;
      case closeBracket:
        depth -= 1;
        expectsKey = false;
        at += 1;
        break;
      case comma:
        expectsKey = isObject[depth - 1] === true;
        at += 1;
        break;
      case quote:
        at = expectsKey ? passKey(codes, at, duplicates) : endOfString(codes, at);
        expectsKey = false;
        break;
      default:
        if (code <= space || code === colon) {
          at += 1;
          while (codes[at] === space) at += 1;
        } else {
          const start = at;
          at = endOfScalar(codes, at);
          if (code < letterA) lossy.note(start, at);
        }
    }
  } while (depth > 0);
  return at;
}

/** Skips a property's name and returns the offset after it. */
function passKey(codes: TextCodes, start: number, duplicates: DuplicateKeys): number {
  let hash = 0;
  let at = start + 1;
  for (let code = codes[at] ?? 0; code !== quote; code = codes[at] ?? 0) {
    if (code === backslash) {
      const end = endOfString(codes, start);
      duplicates.addEscaped(start, end);
      return end;
    }
    hash = nextHash(hash, code);
    at += 1;
  }
  duplicates.add(start, at + 1, hash);
  return at + 1;
}

function endOfString(codes: TextCodes, start: number): number {
  let at = start + 1;
  for (let code = codes[at] ?? 0; code !== quote; code = codes[at] ?? 0) {
    at += code === backslash ? 2 : 1;
  }
  return at + 1;
}

function endOfScalar(codes: TextCodes, start: number): number {
  let at = start + 1;
  while (isScalar(codes[at] ?? 0)) at += 1;
  return at;
}

/** Returns whether a number or a literal continues: they end before white space, a comma or a bracket. */
function isScalar(code: number): boolean {
  return code > space && code !== comma && code !== closeBracket && code !== closeBrace;
}

/** The UTF-16 codes of a text by offset, with a zero after the last one. */
type TextCodes = Uint8Array | Uint16Array;

/**
 * Copies the codes of a text into an array. Reading them from an array takes two thirds of the time that
 * reading them from the text takes, and most texts are ASCII, for which the copy is nearly free.
 */
function textCodes(text: string): TextCodes {
  const bytes = new Uint8Array(text.length + 1);
  const { read, written } = new TextEncoder().encodeInto(text, bytes);
  if (read === text.length && written === text.length) return bytes;
  const codes = new Uint16Array(text.length + 1);
  for (let at = 0; at < text.length; at += 1) codes[at] = text.charCodeAt(at);
  return codes;
}

const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const letterA = 0x61;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** A property that an object names twice: where it is named again, and where it was first. */
interface DuplicateKey {
  name: string;
  range: TextRange;
  firstStart: number;
}

/**
 * Finds keys that occur twice in one object of a text, in the order a scan meets them. Compares hashes first
 * and the keys only where two hashes are equal, so that hardly any key is copied.
 */
class DuplicateKeys {
  readonly #text: string;
  readonly #limit: number;
  /** Hash and start of each key of all open objects in turn, innermost last, up to `#top`. */
  #keys = new Int32Array(1024);
  #top = 0;
  /** Per open object: where its keys begin, and an index for when it has many. */
  readonly #firsts: number[] = [];
  readonly #indexes: (KeyIndex | undefined)[] = [];
  #depth = 0;
  readonly found: DuplicateKey[] = [];
  hidden = 0;

  constructor(text: string, limit: number) {
    this.#text = text;
    this.#limit = limit;
  }

  enterObject(): void {
    this.#firsts[this.#depth] = this.#top;
    this.#indexes[this.#depth] = undefined;
    this.#depth += 1;
  }

  leaveObject(): void {
    this.#depth -= 1;
    this.#top = this.#firsts[this.#depth] ?? 0;
  }

  /** Adds a key of the innermost object. Its range includes the quotes; `hash` is of its characters. */
  add(start: number, end: number, hash: number): void {
    const first = this.#firsts[this.#depth - 1] ?? 0;
    if (this.#top - first > 2 * manyKeys) this.#compareWithMany(first, start, end, hash);
    else {
      const keys = this.#keys;
      for (let at = first; at < this.#top; at += 2) {
        if (keys[at] === hash && this.#note(keys[at + 1] ?? 0, start, end)) break;
      }
    }
    if (this.#top + 2 > this.#keys.length) this.#grow();
    this.#keys[this.#top] = hash;
    this.#keys[this.#top + 1] = start;
    this.#top += 2;
  }

  /** Adds a key that is written with escapes, by what they stand for. */
  addEscaped(start: number, end: number): void {
    const name = JSON.parse(this.#text.slice(start, end)) as string;
    let hash = 0;
    for (let at = 0; at < name.length; at += 1) hash = nextHash(hash, name.charCodeAt(at));
    this.add(start, end, hash);
  }

  #grow(): void {
    const larger = new Int32Array(this.#keys.length * 2);
    larger.set(this.#keys);
    this.#keys = larger;
  }

  #compareWithMany(first: number, start: number, end: number, hash: number): void {
    let index = this.#indexes[this.#depth - 1];
    if (index === undefined) {
      index = new Map();
      this.#indexes[this.#depth - 1] = index;
      for (let at = first; at < this.#top; at += 2) {
        remember(index, this.#keys[at] ?? 0, this.#keys[at + 1] ?? 0, this.#text);
      }
    }
    const known = index.get(hash);
    if (known instanceof Map) {
      const name = stringAt(this.#text, start);
      const first = known.get(name);
      if (first === undefined) known.set(name, start);
      else this.#note(first, start, end);
      return;
    }
    for (const one of known ?? []) if (this.#note(one, start, end)) return;
    remember(index, hash, start, this.#text);
  }

  #note(firstStart: number, start: number, end: number): boolean {
    const name = JSON.parse(this.#text.slice(start, end)) as string;
    if (name !== stringAt(this.#text, firstStart)) return false;
    if (this.found.length < this.#limit)
      this.found.push({ name, range: { start, end }, firstStart });
    else this.hidden += 1;
    return true;
  }
}

/** Adds one code to the hash of a property's name. */
function nextHash(hash: number, code: number): number {
  return (Math.imul(hash, 31) + code) | 0;
}

/** Above this many keys an index pays off. */
const manyKeys = 24;

/** Starts of keys by their hash; where many share one, by their names. */
type KeyIndex = Map<number, number[] | Map<string, number>>;

/** Up to this many keys of one hash are compared one by one. */
const manyOfOneHash = 8;

function remember(index: KeyIndex, hash: number, start: number, text: string): void {
  const known = index.get(hash);
  if (known === undefined) index.set(hash, [start]);
  else if (known instanceof Map) {
    const name = stringAt(text, start);
    if (!known.has(name)) known.set(name, start);
  } else if (known.length < manyOfOneHash) known.push(start);
  else {
    // Keys may be crafted to share one hash: comparing each with all others would take quadratic time.
    const latestFirst = [start, ...known.toReversed()];
    index.set(hash, new Map(latestFirst.map((one) => [stringAt(text, one), one])));
  }
}

function stringAt(text: string, start: number): string {
  let end = start + 1;
  while (text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
  return JSON.parse(text.slice(start, end + 1)) as string;
}
