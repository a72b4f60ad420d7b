import { JsonTokens, tokenAt } from "../../json/jsonTokens";
import type { JsonValue } from "../../json/jsonValue";
import { isClosing, isOpening, type TextRange, Token } from "../../json/token";

/** Replaces the characters from `start` to `end` (UTF-16 offsets, `end` exclusive) by `text`. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The parts of `text` that a person has to fill in, in order. */
  readonly stops?: readonly TextRange[];
}

/** Applies edits to a text; all offsets refer to the original text. Edits must not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const inOrder = edits.toSorted(byStart);
  const pieces: string[] = [];
  let from = 0;
  for (const edit of inOrder) {
    pieces.push(text.slice(from, edit.start), edit.text);
    from = edit.end;
  }
  return [...pieces, text.slice(from)].join("");
}

/**
 * Returns the shortest edit that makes `after` of `before`. It splits neither a line end nor a character of two code
 * units, which an editor would not replace in part.
 */
export function changedPart(before: string, after: string): TextEdit {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  if (isSplit(before, start) || isSplit(after, start)) start -= 1;
  let same = 0;
  const at = (text: string, back: number) => text[text.length - back - 1];
  while (same < shorter - start && at(before, same) === at(after, same)) same += 1;
  if (isSplit(before, before.length - same) || isSplit(after, after.length - same)) same -= 1;
  const text = after.slice(start, after.length - same);
  return { start, end: before.length - same, text };
}

function isSplit(text: string, offset: number): boolean {
  const around = text.slice(Math.max(offset - 1, 0), offset + 1);
  return around === "\r\n" || /^[\ud800-\udbff][\udc00-\udfff]$/.test(around);
}

/** Drops every edit that overlaps another one with an earlier start. */
export function withoutOverlaps(edits: readonly TextEdit[]): TextEdit[] {
  const accepted: TextEdit[] = [];
  let end = -1;
  for (const edit of edits.toSorted(byStart)) {
    if (edit.start < end) continue;
    accepted.push(edit);
    end = edit.end;
  }
  return accepted;
}

function byStart(left: TextEdit, right: TextEdit): number {
  return left.start - right.start || left.end - right.end;
}

/** The formatting of a text: one level of indentation, and the line ending. */
export interface TextStyle {
  readonly indent: string;
  readonly lineEnd: "\n" | "\r\n";
}

/**
 * Detects the formatting of a text from its first indented line and its first line end. Without such a line, uses
 * `indent`.
 */
export function textStyle(text: string, indent: string): TextStyle {
  const start = text.slice(0, 10_000);
  const found = /\n(\t| +)(?=\S)/.exec(start)?.[1];
  return { indent: found ?? indent, lineEnd: start.includes("\r\n") ? "\r\n" : "\n" };
}

/** Returns the white space at the start of an offset's line. */
export function lineIndent(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, start + 1000))?.[0] ?? "";
}

/** Writes a value as JSON text over several lines, for a line that starts with `outer`. */
export function indentedJson(value: JsonValue, style: TextStyle, outer: string): string {
  return JSON.stringify(value, undefined, style.indent).replaceAll("\n", style.lineEnd + outer);
}

/** Writes a property or an item: with an indent, over several lines of that indent; otherwise on one line. */
export type WriteMember = (indent: string | undefined) => string;

/** Returns a function that writes a property, or an item if there is no name. */
export function memberWriter(
  name: string | undefined,
  value: JsonValue,
  style: TextStyle,
): WriteMember {
  const key = name === undefined ? "" : `${JSON.stringify(name)}: `;
  return (indent) =>
    key + (indent === undefined ? JSON.stringify(value) : indentedJson(value, style, indent));
}

/**
 * Inserts members after the one at an index, or before all of them, in the same layout. Writes the members of an empty
 * object or list on several lines.
 */
export function insertMembers(
  text: string,
  { open, close, members }: ContainerText,
  after: number,
  added: readonly WriteMember[],
  { indent, lineEnd }: TextStyle,
): TextEdit {
  const [first] = members;
  const before = members[after];
  if (first === undefined) {
    const outer = lineIndent(text, open);
    const inner = outer + indent;
    const lines = added.map((write) => lineEnd + inner + write(inner));
    const isBlank = close !== undefined && text.slice(open + 1, close).trim() === "";
    const end = isBlank ? close : open + 1;
    return { start: open + 1, end, text: `${lines.join(",")}${lineEnd}${outer}` };
  }
  const isOnLines = text.slice(open, first.start).includes("\n");
  const inner = isOnLines ? lineIndent(text, first.start) : undefined;
  const gap = inner === undefined ? " " : lineEnd + inner;
  const texts = added.map((write) => write(inner));
  return before === undefined
    ? insertion(first.start, texts.map((member) => `${member},${gap}`).join(""))
    : insertion(before.end, texts.map((member) => `,${gap}${member}`).join(""));
}

function insertion(offset: number, text: string): TextEdit {
  return { start: offset, end: offset, text };
}

/**
 * The members of an object or array, and its offsets in a text. `close` is the offset of the closing bracket. It is
 * undefined if the text was too long to read completely; then only the first members are listed.
 */
export interface ContainerText {
  readonly open: number;
  readonly close: number | undefined;
  readonly members: readonly MemberText[];
}

/** One property or item: from the first character of its key or value to the end of its value. */
export interface MemberText {
  readonly start: number;
  readonly end: number;
  /** The name of a property; absent for an item. */
  readonly name?: string;
}

/** The maximum number of tokens. They take a few milliseconds, while the user waits for the light bulb. */
const maxTokens = 100_000;

/**
 * Reads the object or array that opens at an offset: its members, without their own members. Skips comments and
 * trailing commas. Stops after `limit` tokens. Undefined if nothing opens there or the text ends before it closes.
 */
export function readContainer(
  text: string,
  open: number,
  limit = maxTokens,
): ContainerText | undefined {
  const tokens = new JsonTokens(text, open);
  const opening = tokens.next();
  const isObject = opening === Token.openBrace;
  if (tokens.start !== open || (!isObject && opening !== Token.openBracket)) return undefined;
  const members: MemberText[] = [];
  let member: { start: number; end: number; name?: string } | undefined;
  let depth = 0;
  for (let count = 0; count < limit; count += 1) {
    const kind = tokens.next();
    if (kind === Token.end) return undefined;
    if (kind === Token.comment) continue;
    if (depth === 0 && (isClosing(kind) || kind === Token.comma)) {
      if (member !== undefined) members.push(member);
      member = undefined;
      if (isClosing(kind)) return { open, close: tokens.start, members };
      continue;
    }
    member ??= startOf(tokens, isObject);
    member.end = tokens.end;
    depth += depthChange(kind);
  }
  return { open, close: undefined, members };
}

/** Returns the end of the value of the property whose key starts at `start`. Undefined if the value is too long. */
function endOfProperty(text: string, start: number): number | undefined {
  const tokens = new JsonTokens(text, start);
  let depth = 0;
  let end = start;
  for (let count = 0; count < maxTokens; count += 1) {
    const kind = tokens.next();
    if (kind === Token.end || (depth === 0 && (kind === Token.comma || isClosing(kind))))
      return end;
    end = tokens.end;
    depth += depthChange(kind);
    if (depth === 0 && isClosing(kind)) return end;
  }
  return undefined;
}

function depthChange(kind: Token): number {
  return Number(isOpening(kind)) - Number(isClosing(kind));
}

function startOf(token: JsonTokens, isObject: boolean) {
  const { kind, start, end } = token;
  if (!isObject || kind !== Token.string || token.fault() !== undefined) return { start, end };
  return { start, end, name: String(token.value()) };
}

/**
 * Finds the string around an offset, with its quotes, even if it contains line ends. Undefined if there is none or it
 * is not closed. Takes linear time.
 */
export function stringAround(text: string, offset: number): TextRange | undefined {
  for (let start = text.indexOf('"'); start >= 0 && start <= offset; ) {
    let quote = start;
    do quote = text.indexOf('"', quote + 1);
    while (quote >= 0 && isEscaped(text, quote));
    if (quote < 0) return undefined;
    if (quote >= offset) return { start, end: quote + 1 };
    start = text.indexOf('"', quote + 1);
  }
  return undefined;
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text[first - 1] === "\\") first -= 1;
  return (at - first) % 2 === 1;
}

/**
 * Removes the property whose key starts at an offset of a JSON text, with its comma and white space. Undefined if its
 * value is too long.
 */
export function removeMember(text: string, keyStart: number): TextEdit | undefined {
  const end = endOfProperty(text, keyStart);
  if (end === undefined) return undefined;
  const next = tokenAt(text, end);
  if (next.kind === Token.comma) {
    const following = tokenAt(text, next.end);
    if (following.kind !== Token.closeBrace)
      return { start: keyStart, end: following.start, text: "" };
  }
  const before = lastVisible(text, keyStart);
  if (text[before] === ",") return { start: before, end, text: "" };
  if (text[before] === "{" && next.kind === Token.closeBrace) {
    return { start: before + 1, end: next.start, text: "" };
  }
  return { start: keyStart, end, text: "" };
}

function lastVisible(text: string, offset: number): number {
  let at = offset - 1;
  while (at >= 0 && " \t\r\n".includes(text[at] ?? "")) at -= 1;
  return at;
}
