import { type JsonValue, parsedJson } from "./jsonValue";
import { type TextRange, Token, type TokenFault, tokenFault } from "./token";

/**
 * Reads the tokens of a text that may be invalid JSON. All JSON readers here are built on it. Takes linear time,
 * without recursion or memory for earlier tokens.
 */
export class JsonTokens implements TextRange {
  kind: Token = Token.end;
  start: number;
  end: number;
  /** Whether the token is a string with an escape or a number with an exponent. */
  isSpecial = false;

  /** Creates a reader before the first token at or after an offset. */
  constructor(
    readonly text: string,
    from = 0,
  ) {
    this.start = from;
    this.end = from;
  }

  /**
   * Moves to the next token and returns its kind. Stays at the end of the text. May stop inside a string of more than
   * `longest` characters.
   */
  next(longest = Number.POSITIVE_INFINITY): Token {
    const { text } = this;
    let at = this.end;
    let code = codeAt(text, at);
    while (code === space || code === lineFeed || code === carriageReturn || code === tab) {
      at += 1;
      code = codeAt(text, at);
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
        const last = Math.min(text.length, at + 1 + longest);
        let end = at + 1;
        let inner = end < last ? text.charCodeAt(end) : 0;
        // The first comparison is enough for lowercase letters, the most frequent ones.
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
        const end = isNumber ? this.endOfNumber(at) : endOfLiteral(text, at);
        if (end === 0) code = this.readOther(at);
        else {
          this.end = end;
          code = isNumber ? Token.number : Token.literal;
        }
      }
    }
    this.kind = code;
    return code;
  }

  /**
   * Reads a string. JSON has no line ends in strings, so one without a quote on its line ends there, unless the next
   * quote certainly closes it: then a text of several lines was pasted.
   */
  private readString(from: number, last: number): number {
    const { text } = this;
    let at = from;
    for (; at < last; at += 1) {
      const code = text.charCodeAt(at);
      if (code === Token.string) return at + 1;
      if (isLineEnd(code)) return Math.min(this.endOfLines(at) ?? at, last);
      if (code !== backslash) continue;
      this.isSpecial = true;
      if (!isLineEnd(text.charCodeAt(at + 1))) at += 1;
    }
    return Math.min(at, text.length);
  }

  /** The next quote after a line end that was searched for, and whether it closes a string. Each is searched once. */
  private nextQuote = { at: -1, closes: false };

  /** Returns the end of a string that goes on after a line end; undefined if it does not. */
  private endOfLines(lineEnd: number): number | undefined {
    const { text } = this;
    if (this.nextQuote.at < lineEnd) {
      let at = lineEnd;
      while (at < text.length && text.charCodeAt(at) !== Token.string) {
        at += text.charCodeAt(at) === backslash ? 2 : 1;
      }
      this.nextQuote = { at, closes: at < text.length && isBeforePunctuation(text, at + 1) };
    }
    const { at, closes } = this.nextQuote;
    return closes ? at + 1 : undefined;
  }

  /** Returns the end of a number; 0 if there is none. */
  private endOfNumber(start: number): number {
    const { text } = this;
    const whole = codeAt(text, start) === minus ? start + 1 : start;
    let at = codeAt(text, whole) === zero ? whole + 1 : afterDigits(text, whole);
    if (at === whole) return 0;
    if (codeAt(text, at) === dot) {
      const fraction = at + 1;
      at = afterDigits(text, fraction);
      if (at === fraction) return 0;
    }
    if ((codeAt(text, at) | lowercaseBit) === letterE) {
      const sign = codeAt(text, at + 1);
      const exponent = sign === plus || sign === minus ? at + 2 : at + 1;
      at = afterDigits(text, exponent);
      if (at === exponent) return 0;
      this.isSpecial = true;
    }
    const next = codeAt(text, at);
    return next === dot || isWordCode(next) ? 0 : at;
  }

  /** Reads a token that is not JSON, or the end of the text. */
  private readOther(at: number): Token {
    const { text } = this;
    this.isSpecial = false;
    this.end = at;
    if (at >= text.length) return Token.end;
    if (text[at] === "'") {
      this.end = endOfSingleQuoted(text, at);
      return Token.string;
    }
    const end = endOfTypographic(text, at);
    if (end !== undefined) {
      this.end = end;
      return Token.string;
    }
    const comment = endOfComment(text, at);
    this.end = comment ?? (text.startsWith("/*", at) ? text.length : endOfWord(text, at));
    return comment === undefined ? Token.unknown : Token.comment;
  }

  /** Returns the JSON value of a scalar token, or its text if it is invalid. */
  value(): JsonValue {
    const text = this.text.slice(this.start, this.end);
    const value = parsedJson(text);
    return value === undefined ? text : value;
  }

  /** Finds the first reason why the token is invalid JSON; undefined for a valid token and for a comment. */
  fault(): TokenFault | undefined {
    return tokenFault(this.text, this.kind, this);
  }
}

/** Returns the token that follows an offset. */
export function tokenAt(text: string, from: number): JsonTokens {
  const tokens = new JsonTokens(text, from);
  tokens.next();
  return tokens;
}

/**
 * Returns the character code at an offset, or 0 past the end. There, `charCodeAt` would return NaN, which halves the
 * engine's speed from then on.
 */
function codeAt(text: string, at: number): number {
  return at < text.length ? text.charCodeAt(at) : 0;
}

function afterDigits(text: string, from: number): number {
  let at = from;
  for (let code = codeAt(text, at); code >= zero && code <= nine; code = codeAt(text, at)) at += 1;
  return at;
}

/** Returns the end of `true`, `false` or `null`; 0 for anything else. */
function endOfLiteral(text: string, start: number): number {
  const first = codeAt(text, start);
  const word = first === 0x74 ? "true" : first === 0x66 ? "false" : "null";
  const end = start + word.length;
  const next = codeAt(text, end);
  return text.startsWith(word, start) && next !== dollar && !isWordCode(next) ? end : 0;
}

function isWordCode(code: number): boolean {
  const small = code | lowercaseBit;
  return (
    (code >= zero && code <= nine) || (small >= letterA && small <= letterZ) || code === underscore
  );
}

function endOfSingleQuoted(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && !"'\r\n".includes(text[at] ?? "")) at += text[at] === "\\" ? 2 : 1;
  return Math.min(text[at] === "'" ? at + 1 : at, text.length);
}

const typographic = /[“”„«»][^\r\n"]{0,2000}?[“”«»](?=[ \t\r\n]*(?:[,:}\]]|$))/y;

/** Returns the end of a text in typographic quotes on one line; undefined if there is none. */
function endOfTypographic(text: string, start: number): number | undefined {
  typographic.lastIndex = start;
  return typographic.test(text) ? typographic.lastIndex : undefined;
}

const punctuation = /[ \t\r\n]*(?:[,:}\]]|$)/y;

/** Returns whether what follows can only follow a name or a value. */
function isBeforePunctuation(text: string, at: number): boolean {
  punctuation.lastIndex = at;
  return punctuation.test(text);
}

/** Returns the end of a comment; undefined if there is none or it is not closed. */
function endOfComment(text: string, start: number): number | undefined {
  if (text.startsWith("//", start)) {
    let at = start + 2;
    while (at < text.length && !isLineEnd(text.charCodeAt(at))) at += 1;
    return at;
  }
  const close = text.startsWith("/*", start) ? text.indexOf("*/", start + 2) : -1;
  return close < 0 ? undefined : close + 2;
}

/** A separator of another language, or a word. */
const word = /=>?|;|[^\s{}[\]:,;"'=][^\s{}[\]:,;"']*/y;

function endOfWord(text: string, start: number): number {
  word.lastIndex = start;
  return word.test(text) ? word.lastIndex : start + 1;
}

function isLineEnd(code: number): boolean {
  return code === lineFeed || code === carriageReturn;
}

const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
/** The bit that a lowercase letter has and its capital lacks. */
const lowercaseBit = 0x20;
const dollar = 0x24;
const plus = 0x2b;
const minus = 0x2d;
const dot = 0x2e;
const zero = 0x30;
const nine = 0x39;
const backslash = 0x5c;
const underscore = 0x5f;
const letterA = 0x61;
const letterE = 0x65;
const letterZ = 0x7a;
