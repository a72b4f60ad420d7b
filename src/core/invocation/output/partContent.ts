import { type ImageHeader, imageHeader } from "./imageHeader";

/** The content of a string in an output. `bytes` is its size after decoding; `base64` has no white space. */
export type PartContent =
  /** `isWritten` is false if the text was decoded. */
  | { readonly kind: "text"; readonly text: string; readonly isWritten: boolean }
  | ({ readonly kind: "image" } & EncodedBytes & ImageHeader)
  | ({ readonly kind: "file" } & EncodedBytes);

interface EncodedBytes {
  readonly mediaType: string;
  readonly base64: string;
  readonly bytes: number;
}

/** The media type and the encoding that a schema or a neighboring property states for a string. */
export interface StatedContent {
  readonly mediaType: string | undefined;
  readonly encoding: string | undefined;
}

/**
 * Recognizes the content of a string: a data URL, or base64 if a schema or property states it. It counts as an image
 * only if its first bytes match the stated type. A string that contradicts its stated type stays a text.
 */
export function partContent(text: string, stated: StatedContent): PartContent {
  const written = { kind: "text", text, isWritten: true } as const;
  const [head, type = "", encoding] = dataUrl.exec(text.slice(0, maxHead)) ?? [];
  if (head !== undefined) {
    const body = text.slice(head.length);
    if (encoding !== undefined) return decoded(body, essence(type || "text/plain")) ?? written;
    return asText(() => decodeURIComponent(body)) ?? written;
  }
  const mediaType = essence(stated.mediaType ?? unknownType);
  const isEncoded =
    stated.encoding?.toLowerCase() === "base64" ||
    (stated.encoding === undefined && stated.mediaType !== undefined && !isTextType(mediaType));
  return (isEncoded ? decoded(text, mediaType) : undefined) ?? written;
}

const dataUrl = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w-]+=[^;,]*)*(;base64)?,/i;
const maxHead = 300;
const unknownType = "application/octet-stream";

/** The maximum number of pixels. An image takes four bytes of memory per pixel, so larger ones can only be saved. */
const maxPixels = 16_777_216;
/** The maximum length of a header, enough for a photo with an embedded preview. */
const maxHeader = 400_000;

function decoded(written: string, mediaType: string): PartContent | undefined {
  const base64 = written.replace(/\s+/g, "");
  const isBase64 =
    base64 !== "" && base64.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(base64);
  if (!isBase64) return undefined;
  if (isTextType(mediaType)) {
    const text = asText(() => new TextDecoder("utf-8", strict).decode(bytesOf(base64)));
    if (text !== undefined) return text;
  }
  const bytes = (base64.length / 4) * 3 - (/=*$/.exec(base64)?.[0].length ?? 0);
  const header = imageHeader(bytesOf(base64.slice(0, maxHeader)));
  const isStated = header?.mediaType === mediaType || mediaType === unknownType;
  if (header !== undefined && isStated) {
    const isSmall = header.width * header.height <= maxPixels;
    return { kind: isSmall ? "image" : "file", base64, bytes, ...header };
  }
  const contradictsStated = mediaType.startsWith("image/");
  return contradictsStated ? undefined : { kind: "file", mediaType, base64, bytes };
}

const strict = { ignoreBOM: false, fatal: true } as const;

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

function asText(decode: () => string): PartContent | undefined {
  try {
    return { kind: "text", text: decode(), isWritten: false };
  } catch {
    return undefined;
  }
}

/** Returns a media type without parameters, in lower case. */
function essence(mediaType: string): string {
  const [type = ""] = mediaType.toLowerCase().split(";");
  return type.trim() === "image/jpg" ? "image/jpeg" : type.trim();
}

/** Returns whether a type is a text. An SVG counts as one: as an image it could block the page that shows it. */
function isTextType(mediaType: string): boolean {
  return /^text\/|[/+](?:json|xml|yaml|javascript|sql|csv)$/.test(mediaType);
}
