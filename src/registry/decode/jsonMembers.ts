/** Where a value stands in a text: from its first character to behind its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the members of the JSON object that starts at `from`, by name; of equal names the last one
 * counts, as in JSON.parse. Made for text that JSON.parse has accepted: it does not check. For text
 * that is cut short, the members before the cut.
 */
export function jsonMembers(text: string, from = 0): ReadonlyMap<string, Span> {
  const members = new Map<string, Span>();
  let at = afterSpace(text, from);
  if (text[at] !== "{") return members;
  at = afterSpace(text, at + 1);
  while (text[at] === '"') {
    const nameEnd = endOfString(text, at);
    const start = afterSpace(text, afterSpace(text, nameEnd) + 1);
    const end = endOfValue(text, start);
    if (end > text.length) break;
    members.set(JSON.parse(text.slice(at, nameEnd)) as string, { start, end });
    at = afterSpace(text, end);
    if (text[at] !== ",") break;
    at = afterSpace(text, at + 1);
  }
  return members;
}

function afterSpace(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) <= 32) at += 1;
  return at;
}

/** Behind the closing quote; past the text's end where there is none. */
function endOfString(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === "\\") slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  return text.length + 1;
}

function endOfValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return endOfString(text, start);
  return first === "{" || first === "[" ? endOfContainer(text, start) : endOfScalar(text, start);
}

function endOfContainer(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 34) at = endOfString(text, at) - 1;
    else if (code === 123 || code === 91) depth += 1;
    else if (code === 125 || code === 93) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length + 1;
}

/** A number, true, false or null ends before a comma, a bracket or space; at the text's end it is cut. */
function endOfScalar(text: string, start: number): number {
  let at = start;
  while (at < text.length && !",]} \n\r\t".includes(text.charAt(at))) at += 1;
  return at < text.length && at > start ? at : text.length + 1;
}
