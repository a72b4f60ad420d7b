import type { Chunked } from "../../core/text/chunked";

/** Of letters beyond ASCII, so many bytes take some milliseconds. */
const sliceBytes = 500_000;

/**
 * Reads bytes as UTF-8 text, as Buffer's toString does: invalid ones replaced. Pauses between slices,
 * of which none starts inside a character.
 */
export function* utf8Text(
  bytes: Buffer,
  start: number,
  end: number,
  length = sliceBytes,
): Chunked<string> {
  const parts: string[] = [];
  let at = start;
  for (; end - at > length; yield) {
    const next = characterStart(bytes, at + length);
    parts.push(bytes.toString("utf8", at, next));
    at = next;
  }
  const last = bytes.toString("utf8", at, end);
  return parts.length === 0 ? last : parts.join("") + last;
}

/** Steps back to a byte that continues no character; a fourth that does belongs to none anyway. */
function characterStart(bytes: Buffer, at: number): number {
  for (let start = at; start > at - 4; start -= 1) {
    if (((bytes[start] ?? 0) & 0xc0) !== 0x80) return start;
  }
  return at;
}
