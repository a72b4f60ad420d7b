/**
 * Reads bytes as UTF-8, a byte order mark with them. Throws a `TypeError` where they are something else: what cannot
 * be read must not be guessed, and sent.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}
