/**
 * Reads bytes as UTF-8, including a byte order mark. Throws a `TypeError` for anything else: unreadable text
 * must not be guessed and sent.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}
