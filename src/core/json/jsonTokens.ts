import { isLineEnd, otherToken, specialBit, type TextRange, Token, tokenFault } from "./token";

/**
 * Reads the tokens of a text that should be JSON: whatever is to be known of such a text is read from these.
 * Takes time in proportion to what is read of the text, no stack, and no memory for what was read.
 */
export class JsonTokens implements TextRange {
  readonly #part = new TokenPart();
  #index = 0;

  /** Starts before the first token that follows an offset. */
  constructor(
    readonly text: string,
    from = 0,
  ) {
    this.#part.ends[0] = from;
  }

  /**
   * Moves to the next token and returns its kind; at the end of the text it stays there. A string of more than
   * `longest` characters need not be read to its end.
   */
  next(longest = Number.POSITIVE_INFINITY): Token {
    this.#index += 1;
    if (this.#index >= this.#part.count) {
      this.#part.read(this.text, longest);
      this.#index = 0;
    }
    return this.kind;
  }

  /** What the token is, a `Token`. */
  get kind(): Token {
    return (this.#part.kinds[this.#index] ?? 0) & ~specialBit;
  }

  get start(): number {
    return this.#part.starts[this.#index] ?? 0;
  }

  get end(): number {
    return this.#part.ends[this.#index] ?? 0;
  }

  /** Whether it is a string with an escape, or a number with an exponent. */
  get isSpecial(): boolean {
    return (this.#part.kinds[this.#index] ?? 0) >= specialBit;
  }

  /** Computes the hash of the characters of a string as they are written. */
  hash(): number {
    const { codes, base, length } = this.#part;
    const last = this.end - 1;
    if (last - base > length) return hashOf(this.text.slice(this.start + 1, last));
    let hash = 0;
    for (let at = this.start + 1 - base; at < last - base; at += 1) {
      hash = nextHash(hash, codes[at] ?? 0);
    }
    return hash;
  }

  /** Finds the first reason why the token is not valid JSON; undefined where it is, and for a comment. */
  fault() {
    return tokenFault(this.text, this.kind, this);
  }
}

/** Reads the one token that follows an offset. */
export function tokenAt(text: string, from: number): JsonTokens {
  const tokens = new JsonTokens(text, from);
  tokens.next();
  return tokens;
}

/** Computes the hash of a text that `JsonTokens.hash` computes of a string. */
export function hashOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) hash = nextHash(hash, text.charCodeAt(at));
  return hash;
}

function nextHash(hash: number, code: number): number {
  return (Math.imul(hash, 31) + code) | 0;
}

/** The first part of a text that is read; each further one is four times as long, up to the longest. */
const firstPart = 256;
/** In characters: the arrays of a part are reused for the next one, whatever the text holds. */
const longestPart = 16_384;

/** The tokens that begin in a part of a text. At the end of the text, the one token `end`. */
class TokenPart {
  kinds = new Uint8Array(1);
  starts = new Int32Array(1);
  ends = new Int32Array(1);
  count = 1;
  /** Where the part begins, its length, and its codes with a zero after them. */
  base = 0;
  length = 0;
  codes: Uint8Array | Uint16Array = this.kinds;
  #bytes = this.kinds;

  /** Reads the part that follows, or the first one after it that is not white space alone. */
  read(text: string, longest: number): void {
    const from = this.ends[this.count - 1] ?? 0;
    this.count = 0;
    for (let at = from; this.count === 0; at = this.base + this.length) {
      this.#load(text, at);
      if (at < text.length) this.#readTokens(text, longest);
      else this.#end(at);
    }
  }

  /** Copies the codes: reading them from an array takes two thirds of the time. */
  #load(text: string, from: number): void {
    const wanted = this.length === 0 ? firstPart : Math.min(4 * this.length, longestPart);
    const length = Math.min(wanted, text.length - from);
    if (length > this.kinds.length) {
      this.kinds = new Uint8Array(length);
      this.starts = new Int32Array(length);
      this.ends = new Int32Array(length);
      this.#bytes = new Uint8Array(length + 1);
    }
    const part = text.slice(from, from + length);
    const bytes = this.#bytes.subarray(0, length);
    const { read, written } = new TextEncoder().encodeInto(part, bytes);
    if (read === length && written === length) this.codes = this.#bytes;
    else {
      this.codes = new Uint16Array(length + 1);
      for (let at = 0; at < length; at += 1) this.codes[at] = part.charCodeAt(at);
    }
    this.codes[length] = 0;
    this.base = from;
    this.length = length;
  }

  #end(at: number): void {
    this.kinds[0] = Token.end;
    this.starts[0] = at;
    this.ends[0] = at;
    this.count = 1;
  }

  #readTokens(text: string, longest: number): void {
    const { codes, base, length, kinds, starts, ends } = this;
    let count = 0;
    for (let at = 0; at < length; ) {
      const start = at;
      const first = codes[at] ?? 0;
      let kind: number = first;
      let special = 0;
      let end = 0;
      switch (first) {
        case space:
        case tab:
        case lineFeed:
        case carriageReturn:
          at += 1;
          continue;
        case Token.comma:
        case Token.colon:
        case Token.openBracket:
        case Token.closeBracket:
        case Token.openBrace:
        case Token.closeBrace:
          end = at + 1;
          break;
        case Token.string:
          for (;;) {
            at += 1;
            let code = codes[at] ?? 0;
            // The first comparison is enough for small letters, which most texts are full of.
            while (
              code > backslash ||
              (code >= space && code !== Token.string && code !== backslash)
            ) {
              at += 1;
              code = codes[at] ?? 0;
            }
            if (code === Token.string) end = at + 1;
            if (code !== backslash || at + 1 >= length) break;
            special = specialBit;
            if (!isLineEnd(codes[at + 1] ?? 0)) at += 1;
          }
          break;
        default:
          kind = first < letterA ? Token.number : Token.literal;
          end = first < letterA ? endOfNumber(codes, at) : endOfLiteral(codes, at);
      }
      // What is rare, and what goes on behind the part, is read from the text itself.
      const other = end === 0 ? otherToken(text, base + start, longest) : undefined;
      if (other !== undefined) {
        ({ kind, special } = other);
        end = other.end - base;
      }
      kinds[count] = kind | special;
      starts[count] = base + start;
      ends[count] = base + end;
      count += 1;
      at = end;
    }
    this.count = count;
  }
}

type Codes = TokenPart["codes"];

/** The end of a number without an exponent; 0 where it is none, or ends with the part. */
function endOfNumber(codes: Codes, start: number): number {
  let at = codes[start] === minus ? start + 1 : start;
  const whole = at;
  at = codes[at] === zero ? at + 1 : afterDigits(codes, at);
  if (at === whole) return 0;
  if (codes[at] === dot) {
    const fraction = at + 1;
    at = afterDigits(codes, fraction);
    if (at === fraction) return 0;
  }
  return endsWord(codes[at] ?? 0) ? at : 0;
}

function afterDigits(codes: Codes, from: number): number {
  let at = from;
  for (let code = codes[at] ?? 0; code >= zero && code <= 0x39; code = codes[at] ?? 0) at += 1;
  return at;
}

/** The end of true, false or null; 0 where it is none, or ends with the part. */
function endOfLiteral(codes: Codes, start: number): number {
  const first = codes[start];
  const word = first === 0x74 ? "true" : first === 0x66 ? "false" : "null";
  for (let index = 0; index < word.length; index += 1) {
    if (codes[start + index] !== word.charCodeAt(index)) return 0;
  }
  const end = start + word.length;
  return endsWord(codes[end] ?? 0) ? end : 0;
}

function endsWord(code: number): boolean {
  return (
    code === Token.comma ||
    code === Token.closeBracket ||
    code === Token.closeBrace ||
    code === space ||
    code === tab ||
    isLineEnd(code)
  );
}

const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const minus = 0x2d;
const dot = 0x2e;
const zero = 0x30;
const backslash = 0x5c;
const letterA = 0x61;
