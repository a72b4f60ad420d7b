import type { LongText } from "../skill/description/skillDescription";
import { type Chunked, characterStart, runSync } from "../text/chunked";
import { isJsonObject, type JsonValue, type ListKeys } from "./jsonValue";

/** Prints a JSON value indented for reading, cut after `maxLength` characters. */
export function longText(
  value: JsonValue,
  maxLength = 100_000,
  listKeys: ListKeys = Object.keys,
): LongText {
  return printJson(value, { maxLength, indent: 2, listKeys });
}

const maxDepth = 1000;

interface PrintOptions {
  readonly maxLength: number;
  readonly indent: number;
  readonly listKeys?: ListKeys;
}

/**
 * Prints a JSON value as `JSON.stringify` does, with `indent` spaces a level (0: on one line). Stops
 * after `maxLength` characters without looking at the rest; what is nested deeper than 1,000 levels is
 * shown as `…`.
 */
export function printJson(
  value: JsonValue,
  { maxLength, indent, listKeys = Object.keys }: PrintOptions,
): LongText {
  const parts: string[] = [];
  let left = maxLength;
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
    } else if (isJsonObject(part)) {
      const printMember = (name: string) => {
        putText(name);
        put(indent === 0 ? ":" : ": ");
        print(part[name] ?? null, depth + 1);
      };
      printAll("{", listKeys(part), printMember, "}", depth);
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
      if (left < 0) return;
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
    put(JSON.stringify(text.length > left ? text.slice(0, Math.max(0, left + 1)) : text));
  }

  function put(text: string): void {
    left -= text.length;
    parts.push(text);
  }
}

/** JSON text laid out for reading; `whole` is false where it was cut at the limit. */
export interface PrettyJson {
  readonly text: string;
  readonly whole: boolean;
}

const maxIndentation = 40;
/** Formatting this many takes a few milliseconds. */
const tokensAtOnce = 20_000;

/**
 * Lays out JSON text with two spaces of indentation without reading it into values, so that every
 * number and string stays as it was written. Stops after `maxLength` characters, also in the middle of
 * a string, without looking at the rest; indentation may go a little beyond.
 */
export function prettyJson(text: string, maxLength = Number.POSITIVE_INFINITY): PrettyJson {
  return runSync(prettyJsonChunked(text, maxLength));
}

/** Does the same with pauses, for a text of megabytes. */
export function* prettyJsonChunked(text: string, maxLength: number): Chunked<PrettyJson> {
  let done = "";
  let parts: string[] = [];
  let length = 0;
  let depth = 0;
  let previous = "";
  for (let start = nextToken(text, 0); start < text.length; start = nextToken(text, start)) {
    const room = Math.max(0, maxLength - length);
    const end = tokenEnd(text, start, start + room + 1);
    if (end - start > room) {
      // Half a string is still of use to a reader; half a number is another number.
      const isString = room > 0 && text.charAt(start) === '"';
      const cut = isString ? text.slice(start, characterStart(text, start + room)) : "";
      if (isString) parts.push(gap(previous, cut, depth) + cut);
      return { text: done + parts.join(""), whole: false };
    }
    const token = text.slice(start, end);
    start = end;
    if (token === "}" || token === "]") depth -= 1;
    const part = gap(previous, token, depth) + token;
    parts.push(part);
    length += part.length;
    if (token === "{" || token === "[") depth += 1;
    previous = token;
    if (parts.length < tokensAtOnce) continue;
    done += parts.join("");
    parts = [];
    yield;
  }
  return { text: done + parts.join(""), whole: true };
}

function gap(previous: string, token: string, depth: number): string {
  if (previous === ":") return " ";
  const opened = previous === "{" || previous === "[";
  const closes = token === "}" || token === "]";
  if (opened && closes) return "";
  return opened || closes || previous === "," ? newLine(depth) : "";
}

function newLine(depth: number): string {
  return `\n${"  ".repeat(Math.min(Math.max(depth, 0), maxIndentation))}`;
}

function nextToken(text: string, from: number): number {
  let start = from;
  while (start < text.length && " \t\r\n".includes(text.charAt(start))) start += 1;
  return start;
}

/** Finds the end of a token, or `until` where that comes first. */
function tokenEnd(text: string, start: number, until: number): number {
  const first = text.charAt(start);
  const last = Math.min(text.length, until);
  if (first === '"') return stringEnd(text, start + 1, last);
  if ("{}[],:".includes(first)) return start + 1;
  let end = start + 1;
  while (end < last && !' \t\r\n"{}[],:'.includes(text.charAt(end))) end += 1;
  return end;
}

/**
 * Finds the end of a string without a regular expression, whose stack a long string would overflow. Searching
 * from quote to quote takes 1 ms for 10 MB in one string; character by character takes 90 ms.
 */
function stringEnd(text: string, from: number, last: number): number {
  for (let at = from; ; ) {
    const quote = text.indexOf('"', at);
    if (quote < 0 || quote >= last) return last;
    let escapes = quote;
    while (escapes > at && text.charCodeAt(escapes - 1) === backslash) escapes -= 1;
    at = quote + 1;
    if ((quote - escapes) % 2 === 0) return at;
  }
}

const backslash = 0x5c;
