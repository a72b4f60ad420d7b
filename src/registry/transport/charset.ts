import { isUtf8 } from "node:buffer";
import { TextDecoder } from "node:util";

/** A body in UTF-8. `note` says for the log why characters may be wrong; undefined if none are. */
interface DecodedText {
  readonly body: Buffer;
  readonly note?: string;
}

/** Converts a body to UTF-8 from the charset that its Content-Type names. Replaces what it cannot decode. */
export function decodeCharset(contentType: string | undefined, body: Buffer): DecodedText {
  const name = charsetIn(contentType);
  const isPlain = name === "" || /^(?:utf-?8|us-ascii)$/i.test(name);
  const decoder = isPlain ? undefined : decoderOf(name);
  if (decoder === undefined) {
    if (isUtf8(body)) return { body };
    return { body, note: isPlain ? "bytes that are no UTF-8 replaced" : `charset ${name} unknown` };
  }
  try {
    return { body: Buffer.from(decodeAll(decoder, body), "utf8") };
  } catch {
    const text = decodeAll(new TextDecoder(decoder.encoding), body);
    return { body: Buffer.from(text, "utf8"), note: `bytes that are no ${name} replaced` };
  }
}

/**
 * Decodes a whole body as a stream of one chunk. Without `stream`, Node.js 22.13 to 24 decodes windows-1252 as Latin-1:
 * € becomes a control character (nodejs/node#56542). iso-8859-1 is another name for windows-1252.
 */
function decodeAll(decoder: TextDecoder, body: Buffer): string {
  return decoder.decode(body, { stream: true }) + decoder.decode();
}

/** Returns the charset of a media type, of at most 40 harmless characters; empty for none. */
function charsetIn(contentType = ""): string {
  const [, name = ""] = /;\s{0,9}charset\s{0,9}=\s{0,9}"?([\w.:+-]{1,40})/i.exec(contentType) ?? [];
  return name;
}

function decoderOf(name: string): TextDecoder | undefined {
  try {
    return new TextDecoder(name, { fatal: true });
  } catch {
    return undefined;
  }
}
