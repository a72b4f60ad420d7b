/** What the editor decodes a document by. */
export interface DocumentDecoding {
  /** The setting `files.encoding`. */
  readonly encoding: string;
  /** Whether the editor guesses encodings (`files.autoGuessEncoding`). */
  readonly isGuessed: boolean;
  /** Whether the document is JSON, whose strings can escape every character. */
  readonly isJson: boolean;
}

/** Tells the editor that a text is UTF-8, whatever its settings are. */
const byteOrderMark = "\ufeff";

/**
 * Returns a text whose UTF-8 bytes the editor decodes as meant. It has a byte order mark only if nothing else can tell
 * the editor their encoding, since a saved copy would have it too, and JSON with a mark is no JSON.
 */
export function markedText(text: string, decoding: DocumentDecoding): string {
  const isRead = decoding.encoding.startsWith("utf8") && !decoding.isGuessed;
  if (isRead) return text;
  // No other encoding but UTF-16 reads the characters of ASCII differently.
  const plain = decoding.isJson ? text.replaceAll(/[\u0080-\uffff]/g, escaped) : text;
  const isAscii = !/[\u0080-\uffff]/.test(plain) && !decoding.encoding.startsWith("utf16");
  return isAscii ? plain : byteOrderMark + text;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
