import { type LocalizableText, l10nText } from "../text/language";
import { escapeLength } from "./jsonEscapes";

/** A range of text in UTF-16 offsets; `end` is exclusive. */
export interface TextRange {
  start: number;
  end: number;
}

/**
 * The kind of a token. Punctuation has its character code. `unknown` is not a JSON token; `end` is the end of the text.
 */
export enum Token {
  end = 0,
  string = 0x22,
  comma = 0x2c,
  comment = 0x2f,
  number = 0x30,
  colon = 0x3a,
  unknown = 0x3f,
  openBracket = 0x5b,
  closeBracket = 0x5d,
  literal = 0x61,
  openBrace = 0x7b,
  closeBrace = 0x7d,
}

/** Returns whether a token opens an object or a list. */
export function isOpening(kind: Token): boolean {
  return kind === Token.openBrace || kind === Token.openBracket;
}

/** Returns whether a token closes an object or a list. */
export function isClosing(kind: Token): boolean {
  return kind === Token.closeBrace || kind === Token.closeBracket;
}

/** Why a token is invalid JSON, and the range to mark. */
export interface TokenFault extends TextRange {
  readonly message: LocalizableText;
}

/** Finds the first reason why a token is invalid JSON; undefined for a valid token and for a comment. */
export function tokenFault(
  text: string,
  kind: Token,
  { start, end }: TextRange,
): TokenFault | undefined {
  if (kind === Token.unknown) return { message: whyUnknown(text, start, end), start, end };
  if (kind !== Token.string) return undefined;
  if (text[start] !== '"') {
    return { message: l10nText("JSON strings are written in double quotes."), start, end };
  }
  let fault: TokenFault | undefined;
  for (let at = start + 1; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === Token.string) return fault;
    if (code < space) fault ??= { message: whyNotInString(code), start: at, end: at + 1 };
    if (code !== backslash) continue;
    const length = escapeLength(text, at);
    if (length === 1) {
      const message = l10nText("Invalid escape sequence.");
      fault ??= { message, start: at, end: Math.min(at + 2, text.length) };
    }
    at += Math.max(length, 2) - 1;
  }
  return { message: l10nText("This string has no closing quote."), start, end };
}

const colon = /[ \t\r\n]*:/y;

function whyUnknown(text: string, start: number, end: number): LocalizableText {
  if (text.startsWith("/*", start)) return l10nText("This comment is not closed.");
  colon.lastIndex = end;
  return colon.test(text)
    ? l10nText("A property name in double quotes is expected here.")
    : whyNotJson(text.slice(start, Math.min(end, start + 40)));
}

function whyNotJson(word: string): LocalizableText {
  if (/^[+-]?(?:infinity|nan)/i.test(word)) return l10nText("JSON has no NaN and no Infinity.");
  if (/^0[xob]/i.test(word)) return l10nText("JSON numbers are decimal.");
  if (/^[+-.]?\d/.test(word)) return l10nText("Invalid number.");
  if (/^(?:true|false|null|none|undefined)$/i.test(word)) {
    return l10nText("Use lowercase true, false or null.");
  }
  return l10nText("This is not JSON; a string needs double quotes.");
}

function whyNotInString(code: number): LocalizableText {
  if (code === tab) return l10nText("Write a tab in a string as \\t.");
  return code === lineFeed || code === carriageReturn
    ? l10nText("Write a line break in a string as \\n.")
    : l10nText("This control character must be written as an escape.");
}

const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const backslash = 0x5c;
