import type { SyntaxRepair } from "../../json/checkSyntax";
import { JsonTokens, tokenAt } from "../../json/jsonTokens";
import { parsedJson } from "../../json/jsonValue";
import { type TextRange, Token } from "../../json/token";
import { l10nText } from "../../text/language";
import type { PayloadProblem, PayloadProblemData } from "../payloadCheck";
import {
  changeTo,
  type FixInput,
  offeredFix,
  type PayloadFix,
  titleText,
  unambiguousFix,
} from "./payloadFix";
import { removeMember, type TextEdit } from "./textEdit";

/**
 * Converts syntax of other languages to JSON: names and texts without quotes or in single ones, other spellings of
 * numbers and of true, false and null, invalid escapes, line breaks in strings, missing or other punctuation. `repair`
 * is the syntax check's own edit, if any.
 */
export function syntaxFixes(
  text: string,
  { start, end }: TextRange,
  repair: SyntaxRepair | undefined,
): PayloadFix[] {
  if (repair !== undefined) return [repairFix(text, repair)];
  const sign = text[start] ?? "";
  const replaced = (by: string): TextEdit => ({ start, end, text: by });
  const { token, isValue } = tokenAround(text, start);
  if (token.kind === Token.string && token.start < start) {
    if (sign === "\\") return escapeFixes(text, start, end);
    if (sign >= " ") return [];
    const title = l10nText("Write it as {value}", { value: escapedControl(sign) });
    return [unambiguousFix(title, ...escapedControls(text, token))];
  }
  const isPlainWord = sign !== '"' && sign !== "\\" && sign >= " ";
  if (token.start !== start || token.end !== end || !isPlainWord) return [];
  const word = text.slice(start, end);
  if (token.kind === Token.string) {
    const inner = isClosed(word) ? fromOtherQuotes(word) : undefined;
    if (inner === undefined) return [];
    const fix = unambiguousFix(l10nText("Use double quotes"), replaced(inner));
    // Before anything else, the quote may be an apostrophe of the text.
    const isEnd = /^[^\S\n]*(?:[,:}\]=;/#\n]|$)/.test(text.slice(end, end + 1000));
    return [{ ...fix, isUnambiguous: isEnd }];
  }
  const quoted = l10nText("Put {name} in double quotes", { name: titleText(word) });
  // A quote directly after the word is its closing quote, so only the opening one is missing.
  const inQuotes =
    text[end] === '"' ? { start, end: start, text: '"' } : replaced(JSON.stringify(word));
  const isWord = token.kind === Token.unknown;
  const next = tokenAt(text, end);
  // A word that touches a quote may be the inside of a string whose other quote is missing.
  const isFree = !isValue && text[start - 1] !== '"';
  const isName = isFree && (next.kind === Token.colon || text[next.start] === "=");
  if (isName && (isWord || token.kind === Token.number || token.kind === Token.literal)) {
    return [unambiguousFix(quoted, inQuotes)];
  }
  // Quotes around part of a text, or around a separator, would only move the mistake.
  if (!isWord || /^(?:\/\*|[=;“”„«»])|[“”„«»]$/.test(word)) return [];
  const json = jsonSpelling(word);
  if (json === undefined) return [{ ...offeredFix(quoted, inQuotes), isPreferred: true }];
  const { value, isSure } = json;
  const fix = offeredFix(changeTo(value), replaced(value));
  return isSure
    ? [{ ...fix, isPreferred: true, isUnambiguous: true }]
    : [fix, offeredFix(quoted, inQuotes)];
}

/** Finds the token at an offset, or the next one, and whether it follows a colon. */
function tokenAround(text: string, offset: number) {
  const token = new JsonTokens(text);
  let isValue = false;
  while (token.next() !== Token.end && token.end <= offset) isValue = token.kind === Token.colon;
  return { token, isValue };
}

function repairFix(text: string, repair: SyntaxRepair): PayloadFix {
  const { start, end, isGuess } = repair;
  const found = text.slice(start, end);
  if (found === ";" && repair.text === "") {
    return unambiguousFix(l10nText("Remove {name}", { name: found }), repair);
  }
  // A string that touches its neighbor may be what stands between two strings: one quote is missing.
  const isApart = /^\s/.test(text.slice(start)) || !text.slice(start - 1, start + 1).includes('"');
  switch (repair.text) {
    case "":
      return { ...offeredFix(l10nText("Remove this comma"), repair), isPreferred: true };
    case ",":
    case ":": {
      const add = repair.text === "," ? l10nText("Add a comma") : l10nText("Add a colon");
      const fix = unambiguousFix(found === "" ? add : changeTo(repair.text), repair);
      return { ...fix, isUnambiguous: !isGuess && (found !== "" || isApart) };
    }
    default: {
      const title = l10nText("Add {value}", { value: titleText(repair.text) });
      return { ...offeredFix(title, repair), isPreferred: true };
    }
  }
}

/**
 * Fixes an invalid escape. Other languages write `\'`; before any other character the user meant the backslash itself,
 * as in a path.
 */
function escapeFixes(text: string, start: number, end: number): PayloadFix[] {
  const backslash = { start, end: start + 1 };
  if (text[start + 1] === "'") {
    return [unambiguousFix(l10nText("Remove the backslash"), { ...backslash, text: "" })];
  }
  if (end > text.length) return [];
  const title = l10nText("Escape the backslash");
  return [{ ...offeredFix(title, { ...backslash, text: "\\\\" }), isPreferred: true }];
}

function escapedControl(sign: string): string {
  return sign === "\r" || sign === "\r\n" ? "\\n" : JSON.stringify(sign).slice(1, -1);
}

/** Escapes all line breaks and other control characters of a string at once. */
function escapedControls(text: string, token: TextRange): TextEdit[] {
  const found = text.slice(token.start, token.end).matchAll(/\r\n|\p{Cc}/gu);
  return [...found].flatMap(({ 0: sign, index }) => {
    const start = token.start + index;
    const edit = { start, end: start + sign.length, text: escapedControl(sign) };
    return sign < " " ? [edit] : [];
  });
}

function isClosed(word: string): boolean {
  return word.length > 1 && (word.startsWith("'") ? word.endsWith("'") : true);
}

const pieces = /\\(?:u[0-9a-fA-F]{4}|x([0-9a-fA-F]{2})|([\s\S]))|["\p{Cc}]/gu;

/** Rewrites a text in single or typographic quotes, with the escapes of JavaScript and Python. */
function fromOtherQuotes(word: string): string | undefined {
  const inner = word.slice(1, -1).replaceAll(pieces, (piece, hex?: string, sign?: string) => {
    if (hex !== undefined) return `\\u00${hex}`;
    if (sign === undefined)
      return piece.startsWith("\\") ? piece : JSON.stringify(piece).slice(1, -1);
    if ('"\\/bfnrt'.includes(sign)) return piece;
    const escapes: Readonly<Record<string, string>> = {
      "0": "\\u0000",
      v: "\\u000b",
      a: "\\u0007",
    };
    return escapes[sign] ?? JSON.stringify(sign).slice(1, -1);
  });
  const whole = `"${inner}"`;
  return parsedJson(whole) === undefined ? undefined : whole;
}

/** Puts braces around all values, before a comment at the end. */
export function bracesFixes(text: string, { start }: PayloadProblem): PayloadFix[] {
  const tokens = new JsonTokens(text);
  let end = start;
  for (let kind = tokens.next(); kind !== Token.end; kind = tokens.next()) {
    if (kind !== Token.comment) end = tokens.end;
  }
  const braces = [
    { start, end: start, text: "{" },
    { start: end, end, text: "}" },
  ];
  return [{ ...offeredFix(l10nText("Add braces"), ...braces), isPreferred: true }];
}

/** Removes a byte order mark. */
export function byteOrderMarkFixes(_: FixInput, { start, end }: PayloadProblem): PayloadFix[] {
  return [unambiguousFix(l10nText("Remove the byte order mark"), { start, end, text: "" })];
}

/** Removes a comma that nothing follows. */
export function trailingCommaFixes(_: FixInput, { start, end }: PayloadProblem): PayloadFix[] {
  return [unambiguousFix(l10nText("Remove this comma"), { start, end, text: "" })];
}

/** Removes a comment. */
export function commentFixes({ text }: FixInput, { start, end }: PayloadProblem): PayloadFix[] {
  return [unambiguousFix(l10nText("Remove this comment"), removeComment(text, start, end))];
}

/** Removes one of two properties of the same name. */
export function duplicateKeyFixes(
  { readable }: FixInput,
  { start }: PayloadProblem,
  { firstStart }: Extract<PayloadProblemData, { kind: "duplicateKey" }>,
): PayloadFix[] {
  return [
    offeredFix(l10nText("Remove this one"), removeMember(readable, start)),
    offeredFix(l10nText("Remove the first one"), removeMember(readable, firstStart)),
  ];
}

/** Writes a number as its parsed value. */
export function lossyNumberFixes(
  _: FixInput,
  { start, end }: PayloadProblem,
  { readAs }: Extract<PayloadProblemData, { kind: "lossyNumber" }>,
): PayloadFix[] {
  if (!/^[-\d]/.test(readAs)) return [];
  const edit = { start, end, text: readAs };
  return [offeredFix(l10nText("Write {value}", { value: readAs }), edit)];
}

/** Removes a comment: its whole lines if they contain nothing else, or the comment with the space before it. */
function removeComment(text: string, start: number, end: number): TextEdit {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const isAlone = /^[ \t]*$/.test(text.slice(lineStart, start));
  const rest = /^[ \t]*(\r?\n|$)/.exec(text.slice(end, end + 1000));
  if (isAlone && rest !== null) return { start: lineStart, end: end + rest[0].length, text: "" };
  let from = start;
  while (from > lineStart && " \t".includes(text[from - 1] ?? "")) from -= 1;
  return { start: rest === null ? start : from, end, text: "" };
}

const words: ReadonlyMap<string, string> = new Map([
  ["true", "true"],
  ["false", "false"],
  ["null", "null"],
  ["none", "null"],
  ["nil", "null"],
  ["undefined", "null"],
]);

/** The JSON spelling of a value; `isSure` if no other value is possible. */
interface Respelling {
  readonly value: string;
  readonly isSure: boolean;
}

/**
 * Converts a number, or a word for true, false or null, to JSON: `True`, `None`, `+1`, `.5`, `1.`, `007`, `0x1F`,
 * `1_000`. Undefined for anything else.
 */
function jsonSpelling(word: string): Respelling | undefined {
  const literal = words.get(word.toLowerCase());
  if (literal !== undefined) return { value: literal, isSure: true };
  if (/^[+-]?(?:nan|inf(?:inity)?)$/i.test(word)) return { value: "null", isSure: false };
  if (/^0(?:x[0-9a-f]+|o[0-7]+|b[01]+)$/i.test(word)) {
    return { value: BigInt(word).toString(), isSure: true };
  }
  const [, sign = "", whole = "", fraction, exponent = ""] =
    /^([+-]?)(\d[\d_]*|)(\.[\d_]*)?(e[+-]?\d+)?n?$/i.exec(word) ?? [];
  const digits = whole.replaceAll("_", "");
  const decimals = (fraction ?? "").replaceAll("_", "");
  if (digits === "" && decimals.length < 2) return undefined;
  const minus = sign === "-" ? "-" : "";
  const number = digits.replace(/^0+(?=\d)/, "") || "0";
  const value = `${minus}${number}${decimals.length > 1 ? decimals : ""}${exponent}`;
  // Some languages read a leading zero as octal.
  return { value, isSure: !/^0\d/.test(digits) };
}
