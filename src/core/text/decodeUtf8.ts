/**
 * Reads bytes as UTF-8, including a byte order mark. Throws a `TypeError` for anything else, since text with guessed
 * characters must not be sent.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}
