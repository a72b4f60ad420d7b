import { isLineEnd, otherToken, type TextRange, Token, tokenFault } from "./token";

/**
 * Reads the tokens of a text that should be JSON; every other reader of such a text uses it. Takes time in proportion
 * to the text it reads, no stack, and no memory for earlier tokens.
 */
export class JsonTokens implements TextRange {
  kind: Token = Token.end;
  start: number;
  end: number;
  /** Whether it is a string with an escape, or a number with an exponent. */
  isSpecial = false;

  /** Starts before the first token that follows an offset. */
  constructor(
    readonly text: string,
    from = 0,
  ) {
    this.start = from;
    this.end = from;
  }

  /**
   * Moves to the next token and returns its kind; at the end of the text it stays there. A string of more than
   * `longest` characters need not be read to its end.
   */
  next(longest = Number.POSITIVE_INFINITY): Token {
    const { text } = this;
    const { length } = text;
    let at = this.end;
    // Behind the end a code would be no integer, which takes twice the time from then on.
    let code = at < length ? text.charCodeAt(at) : 0;
    while (code === space || code === lineFeed || code === carriageReturn || code === tab) {
      at += 1;
      code = at < length ? text.charCodeAt(at) : 0;
    }
    this.start = at;
    this.isSpecial = false;
    switch (code) {
      case Token.comma:
      case Token.colon:
      case Token.openBracket:
      case Token.closeBracket:
      case Token.openBrace:
      case Token.closeBrace:
        this.end = at + 1;
        break;
      case Token.string: {
        const last = Math.min(length, at + 1 + longest);
        let end = at + 1;
        let inner = end < last ? text.charCodeAt(end) : 0;
        // The first comparison is enough for small letters, which most texts are full of.
        while (
          inner > backslash ||
          (inner >= space && inner !== Token.string && inner !== backslash)
        ) {
          end += 1;
          inner = end < last ? text.charCodeAt(end) : 0;
        }
        this.end = inner === Token.string ? end + 1 : this.readString(end, last);
        break;
      }
      default: {
        const isNumber = code < letterA;
        const end = isNumber ? endOfNumber(text, at) : endOfLiteral(text, at);
        if (end === 0) return this.readOther(at);
        this.end = end;
        code = isNumber ? Token.number : Token.literal;
      }
    }
    this.kind = code;
    return code;
  }

  /** A string ends before a line end at the latest: an escaped one does not join lines in JSON. */
  private readString(from: number, last: number): number {
    const { text } = this;
    let at = from;
    for (; at < last; at += 1) {
      const code = text.charCodeAt(at);
      if (code === Token.string) return at + 1;
      if (isLineEnd(code)) break;
      if (code !== backslash) continue;
      this.isSpecial = true;
      if (!isLineEnd(text.charCodeAt(at + 1))) at += 1;
    }
    return Math.min(at, text.length);
  }

  /** Reads rare tokens, and the end of the text. */
  private readOther(at: number): Token {
    const isEnd = at >= this.text.length;
    const { kind, end, isSpecial } = isEnd
      ? { kind: Token.end, end: at, isSpecial: false }
      : otherToken(this.text, at);
    this.isSpecial = isSpecial;
    this.end = end;
    this.kind = kind;
    return kind;
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

/** The end of a number without an exponent; 0 where it is none. */
function endOfNumber(text: string, start: number): number {
  let at = codeAt(text, start) === minus ? start + 1 : start;
  const whole = at;
  at = codeAt(text, at) === zero ? at + 1 : afterDigits(text, at);
  if (at === whole) return 0;
  if (codeAt(text, at) === dot) {
    const fraction = at + 1;
    at = afterDigits(text, fraction);
    if (at === fraction) return 0;
  }
  return endsWord(text, at) ? at : 0;
}

function codeAt(text: string, at: number): number {
  return at < text.length ? text.charCodeAt(at) : 0;
}

function afterDigits(text: string, from: number): number {
  let at = from;
  for (let code = codeAt(text, at); code >= zero && code <= nine; code = codeAt(text, at)) at += 1;
  return at;
}

/** The end of true, false or null; 0 where it is none. */
function endOfLiteral(text: string, start: number): number {
  const first = codeAt(text, start);
  const word = first === 0x74 ? "true" : first === 0x66 ? "false" : "null";
  const end = start + word.length;
  return text.startsWith(word, start) && endsWord(text, end) ? end : 0;
}

function endsWord(text: string, at: number): boolean {
  if (at >= text.length) return true;
  const code = text.charCodeAt(at);
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
const nine = 0x39;
const backslash = 0x5c;
const letterA = 0x61;
