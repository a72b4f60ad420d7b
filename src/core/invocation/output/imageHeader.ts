/** The facts in an image's first bytes. Sizes are in pixels. */
export interface ImageHeader {
  readonly mediaType: string;
  readonly width: number;
  readonly height: number;
}

/** Parses the header of a PNG, JPEG, GIF or WebP image. Undefined for anything else, and for a missing size. */
export function imageHeader(bytes: Uint8Array): ImageHeader | undefined {
  const found = [png, gif, webp, jpeg]
    .map((read) => read(bytes))
    .find((item) => item !== undefined);
  return found !== undefined && found.width > 0 && found.height > 0 ? found : undefined;
}

function png(bytes: Uint8Array): ImageHeader | undefined {
  if (!startsWith(bytes, "\x89PNG\r\n\x1a\n") || !startsWith(bytes, "IHDR", 12)) return undefined;
  return {
    mediaType: "image/png",
    width: bigEndian(bytes, 16, 4),
    height: bigEndian(bytes, 20, 4),
  };
}

function gif(bytes: Uint8Array): ImageHeader | undefined {
  if (!startsWith(bytes, "GIF87a") && !startsWith(bytes, "GIF89a")) return undefined;
  return {
    mediaType: "image/gif",
    width: littleEndian(bytes, 6, 2),
    height: littleEndian(bytes, 8, 2),
  };
}

function webp(bytes: Uint8Array): ImageHeader | undefined {
  if (!startsWith(bytes, "RIFF") || !startsWith(bytes, "WEBP", 8)) return undefined;
  const size = (width: number, height: number) => ({ mediaType: "image/webp", width, height });
  if (startsWith(bytes, "VP8 ", 12)) {
    return size(littleEndian(bytes, 26, 2) & 0x3fff, littleEndian(bytes, 28, 2) & 0x3fff);
  }
  if (startsWith(bytes, "VP8X", 12)) {
    return size(littleEndian(bytes, 24, 3) + 1, littleEndian(bytes, 27, 3) + 1);
  }
  if (!startsWith(bytes, "VP8L", 12)) return undefined;
  const bits = littleEndian(bytes, 21, 4);
  return size((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
}

function jpeg(bytes: Uint8Array): ImageHeader | undefined {
  if (!startsWith(bytes, "\xff\xd8\xff")) return undefined;
  for (let at = 2; bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0;
    // Any number of fill bytes (0xff) may precede a marker.
    if (marker === 0xff) at += 1;
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return {
        mediaType: "image/jpeg",
        width: bigEndian(bytes, at + 7, 2),
        height: bigEndian(bytes, at + 5, 2),
      };
    } else at += 2 + Math.max(2, bigEndian(bytes, at + 2, 2));
  }
  return undefined;
}

function startsWith(bytes: Uint8Array, text: string, at = 0): boolean {
  return [...text].every((character, index) => bytes[at + index] === character.charCodeAt(0));
}

/** Reads a big-endian number; missing bytes are 0. */
function bigEndian(bytes: Uint8Array, at: number, count: number): number {
  return bytes.slice(at, at + count).reduce((sum, byte) => sum * 256 + byte, 0);
}

function littleEndian(bytes: Uint8Array, at: number, count: number): number {
  return bytes.slice(at, at + count).reduceRight((sum, byte) => sum * 256 + byte, 0);
}
