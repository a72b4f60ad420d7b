import { type Chunked, characterStart, runSync } from "../text/chunked";

/** JSON text laid out for reading; `whole` is false where it was cut at the limit. */
export interface PrettyJson {
  readonly text: string;
  readonly whole: boolean;
}

const maxIndentation = 40;
/** So many tokens take a few milliseconds. */
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

/** Finds where a token ends, or `until` where that comes first. */
function tokenEnd(text: string, start: number, until: number): number {
  const first = text.charAt(start);
  const last = Math.min(text.length, until);
  if (first === '"') return stringEnd(text, start + 1, last);
  if ("{}[],:".includes(first)) return start + 1;
  let end = start + 1;
  while (end < last && !' \t\r\n"{}[],:'.includes(text.charAt(end))) end += 1;
  return end;
}

/** Finds the end of a string without a regular expression, whose stack a long string would overflow. */
function stringEnd(text: string, from: number, last: number): number {
  let end = from;
  while (end < last && text.charAt(end) !== '"') end += text.charAt(end) === "\\" ? 2 : 1;
  return Math.min(end + 1, last);
}
