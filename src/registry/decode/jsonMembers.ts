import type { Chunked } from "../../core/text/chunked";
import { JsonScanner } from "./jsonScanner";

/** Where a value stands: from its first byte to behind its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The members of a JSON object. `end` is behind its brace, or -1 where the object is cut or broken. */
export interface JsonMembers {
  readonly spans: ReadonlyMap<string, Span>;
  readonly end: number;
}

/**
 * Finds the members of the JSON object that starts at `start`, by name; of equal names the last one
 * counts, as in JSON.parse. Of an object that is cut short, those before the cut.
 */
export function* jsonMembers(bytes: Buffer, start: number): Chunked<JsonMembers> {
  const scanner = new JsonScanner(bytes);
  const spans = new Map<string, Span>();
  if (bytes[start] !== 0x7b) return { spans, end: -1 };
  let at = scanner.afterSpace(start + 1);
  if (bytes[at] === 0x7d) return { spans, end: at + 1 };
  for (;;) {
    const name = nameOf(bytes, at, scanner.endOfString(at));
    const value = scanner.afterName(at);
    const end = value < 0 ? -1 : yield* scanner.endOfValue(value);
    // A number at the very end may go on behind the cut.
    if (name === undefined || end < 0 || end >= bytes.length) return { spans, end: -1 };
    spans.set(name, { start: value, end });
    at = scanner.afterSpace(end);
    if (bytes[at] === 0x7d) return { spans, end: at + 1 };
    if (bytes[at] !== 0x2c) return { spans, end: -1 };
    at = scanner.afterSpace(at + 1);
  }
}

function nameOf(bytes: Buffer, start: number, end: number): string | undefined {
  if (end < 0) return undefined;
  const name = bytes.toString("utf8", start + 1, end - 1);
  if (!name.includes("\\")) return name;
  try {
    return JSON.parse(`"${name}"`) as string;
  } catch {
    return undefined;
  }
}
