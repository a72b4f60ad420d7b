import { type Chunked, characterStart, runSync } from "../text/chunked";
import { shortened } from "../text/plainText";
import { exactLiteral } from "./exactJson";
import { JsonTokens } from "./jsonTokens";
import { isJsonObject, type JsonValue } from "./jsonValue";
import { isClosing, isOpening, Token } from "./token";

/** A text that may be truncated; then `whole` is false. */
export interface LongText {
  readonly text: string;
  readonly whole: boolean;
}

/** Prints a JSON value with indentation, truncated after `maxLength` characters. */
export function longText(value: JsonValue, maxLength = 100_000): LongText {
  return printJson(value, { maxLength, indent: 2 });
}

/**
 * The maximum depth, the same as for parsing responses. Printing recurses once per level, so a deeper value could
 * overflow the stack.
 */
const maxDepth = 1000;

interface PrintOptions {
  readonly maxLength: number;
  readonly indent: number;
}

/**
 * Prints a JSON value like `JSON.stringify`, but exact numbers in their spelling, with `indent` spaces per level (0: on
 * one line). Stops after `maxLength` characters without reading the rest. Values below 1,000 levels become `…`.
 */
export function printJson(value: JsonValue, { maxLength, indent }: PrintOptions): LongText {
  const parts: string[] = [];
  let remaining = maxLength;
  let whole = true;
  print(value, 0);
  const text = parts.join("");
  return { text: text.slice(0, maxLength), whole: whole && text.length <= maxLength };

  function print(part: JsonValue, depth: number): void {
    if (depth > maxDepth) {
      put("…");
      whole = false;
    } else if (Array.isArray(part)) {
      printAll("[", part, (item) => print(item, depth + 1), "]", depth);
    } else if (exactLiteral(part) !== undefined) {
      put(exactLiteral(part) ?? "");
    } else if (isJsonObject(part)) {
      const printMember = (name: string) => {
        putText(name);
        put(indent === 0 ? ":" : ": ");
        print(part[name] ?? null, depth + 1);
      };
      printAll("{", Object.keys(part), printMember, "}", depth);
    } else if (typeof part === "string") {
      putText(part);
    } else {
      put(JSON.stringify(part));
    }
  }

  function printAll<Item>(
    open: string,
    items: readonly Item[],
    printItem: (item: Item) => void,
    close: string,
    depth: number,
  ): void {
    put(open);
    for (const [index, item] of items.entries()) {
      if (remaining < 0) return;
      if (index > 0) put(",");
      breakLine(depth + 1);
      printItem(item);
    }
    if (items.length > 0) breakLine(depth);
    put(close);
  }

  function breakLine(depth: number): void {
    if (indent > 0) put(`\n${" ".repeat(indent * depth)}`);
  }

  function putText(text: string): void {
    put(JSON.stringify(text.length > remaining ? text.slice(0, Math.max(0, remaining + 1)) : text));
  }

  function put(text: string): void {
    remaining -= text.length;
    parts.push(text);
  }
}

/** Writes a JSON value on one line, cut to `maxLength` characters including a final `…`. */
export function shownJson(value: JsonValue, maxLength: number): string {
  return shortened(printJson(value, { maxLength: maxLength + 1, indent: 0 }).text, maxLength);
}

/** Returns the JSON text of a value, with exact numbers in their spelling. */
export function jsonText(value: JsonValue, indent = 0): string {
  return printJson(value, { maxLength: Number.POSITIVE_INFINITY, indent }).text;
}

/** Replaces the line breaks of a JSON text by spaces. They occur only between values. */
export function jsonLine(text: string): string {
  return text.replace(/[\r\n]/g, " ");
}

/** The maximum indentation. Without it, the output for nested brackets would grow quadratically. */
const maxIndentation = 40;

/** The number of tokens between yields, a few milliseconds of work. */
const tokensAtOnce = 20_000;

/**
 * Formats JSON text with two spaces of indentation. Does not parse values, so numbers and strings stay as written.
 * Stops after `maxLength` characters, even inside a string, without reading the rest; indentation may exceed it
 * slightly.
 */
export function prettyJson(text: string, maxLength = Number.POSITIVE_INFINITY): LongText {
  return runSync(prettyJsonChunked(text, maxLength));
}

/** Formats like `prettyJson`, but yields in between, for megabytes of text. */
export function* prettyJsonChunked(text: string, maxLength: number): Chunked<LongText> {
  let done = "";
  let parts: string[] = [];
  let length = 0;
  let depth = 0;
  let previous: Token = Token.end;
  const tokens = new JsonTokens(text);
  for (;;) {
    const room = Math.max(0, maxLength - length);
    const kind = tokens.next(room);
    if (kind === Token.end) return { text: done + parts.join(""), whole: true };
    const { start, end } = tokens;
    const isCut = end - start > room;
    // Half a string is still useful to a reader, but half a number is a different number.
    if (isCut && (kind !== Token.string || room === 0)) break;
    if (isClosing(kind)) depth -= 1;
    const token = text.slice(start, isCut ? characterStart(text, start + room) : end);
    const part = gap(previous, kind, depth) + token;
    parts.push(part);
    if (isCut) break;
    length += part.length;
    if (isOpening(kind)) depth += 1;
    previous = kind;
    if (parts.length < tokensAtOnce) continue;
    done += parts.join("");
    parts = [];
    yield;
  }
  return { text: done + parts.join(""), whole: false };
}

function gap(previous: Token, kind: Token, depth: number): string {
  if (previous === Token.colon) return " ";
  if (isOpening(previous) && isClosing(kind)) return "";
  return isOpening(previous) || isClosing(kind) || previous === Token.comma ? newLine(depth) : "";
}

function newLine(depth: number): string {
  return `\n${"  ".repeat(Math.min(Math.max(depth, 0), maxIndentation))}`;
}
