import { type LocalizableText, l10nText } from "../text/language";
import { escapeLength } from "./jsonEscapes";

/** A stretch of text in UTF-16 offsets, `end` exclusive. */
export interface TextRange {
  start: number;
  end: number;
}

/** What a token is: a sign by its code. `unknown` is none that JSON has, `end` the end of the text. */
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

/** Marks, beside its kind, a string that has an escape or a number that has an exponent. */
export const specialBit = 0x80;

/** A token that is not read by the loop, and whether it is a string with an escape or a number with an exponent. */
interface OtherToken {
  readonly kind: number;
  readonly end: number;
  readonly special: number;
}

/** Reads any token from the text itself: those that the loop over its parts leaves. */
export function otherToken(text: string, start: number, longest: number): OtherToken {
  const number = endOf(patterns.number, text, start);
  if (number !== undefined) {
    const special = /e/i.test(text.slice(start, number)) ? specialBit : 0;
    return { kind: Token.number, end: number, special };
  }
  const literal = endOf(patterns.literal, text, start);
  if (literal !== undefined) return { kind: Token.literal, end: literal, special: 0 };
  const sign = text[start];
  if (sign === '"') return stringToken(text, start, longest);
  if (sign === "'") return { kind: Token.string, end: endOfSingleQuoted(text, start), special: 0 };
  const comment = sign === "/" ? endOfComment(text, start) : undefined;
  if (comment !== undefined) return { kind: Token.comment, end: comment, special: 0 };
  const end = text.startsWith("/*", start) ? text.length : endOf(patterns.word, text, start);
  return { kind: Token.unknown, end: end ?? start + 1, special: 0 };
}

/** A string ends before a line end at the latest: an escaped one does not join lines in JSON. */
function stringToken(text: string, start: number, longest: number): OtherToken {
  let special = 0;
  let at = start + 1;
  for (; at < text.length && at - start <= longest; at += 1) {
    const code = text.charCodeAt(at);
    if (code === Token.string) return { kind: Token.string, end: at + 1, special };
    if (isLineEnd(code)) break;
    if (code !== backslash) continue;
    special = specialBit;
    if (!isLineEnd(text.charCodeAt(at + 1))) at += 1;
  }
  return { kind: Token.string, end: Math.min(at, text.length), special };
}

function endOfSingleQuoted(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && !"'\r\n".includes(text[at] ?? "")) at += text[at] === "\\" ? 2 : 1;
  return Math.min(text[at] === "'" ? at + 1 : at, text.length);
}

function endOfComment(text: string, start: number): number | undefined {
  if (!text.startsWith("/*", start)) return endOf(patterns.lineComment, text, start);
  const close = text.indexOf("*/", start + 2);
  return close < 0 ? undefined : close + 2;
}

const patterns = {
  lineComment: /\/\/[^\r\n]*/y,
  number: /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y,
  literal: /(?:true|false|null)(?![\w$])/y,
  colon: /[ \t\r\n]*:/y,
  word: /[^\s{}[\]:,"']+/y,
};

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** Why a token is not valid JSON, and which part of it to mark. */
interface TokenFault extends TextRange {
  readonly message: LocalizableText;
}

/** Finds the first reason why a token is not valid JSON; undefined where it is, and for a comment. */
export function tokenFault(
  text: string,
  kind: Token,
  { start, end }: TextRange,
): TokenFault | undefined {
  if (kind === Token.unknown) return { message: whyUnknown(text, start, end), start, end };
  if (kind !== Token.string) return undefined;
  if (text[start] === "'") {
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

function whyUnknown(text: string, start: number, end: number): LocalizableText {
  if (text.startsWith("/*", start)) return l10nText("This comment is not closed.");
  return endOf(patterns.colon, text, end) === undefined
    ? whyNotJson(text.slice(start, Math.min(end, start + 40)))
    : l10nText("A property name in double quotes is expected here.");
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
  return code === tab
    ? l10nText("Write a tab in a string as \\t.")
    : l10nText("This control character must be written as an escape.");
}

const tab = 0x09;
const space = 0x20;
const backslash = 0x5c;

/** Returns whether a string ends before a character at the latest. */
export function isLineEnd(code: number): boolean {
  return code === 0x0a || code === 0x0d;
}
