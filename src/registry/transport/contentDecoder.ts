import type { Transform } from "node:stream";
import * as zlib from "node:zlib";

/** The names of the encodings this Node can undo, for Accept-Encoding. */
export function acceptedEncodings(): string {
  return hasZstd() ? "gzip, deflate, br, zstd" : "gzip, deflate, br";
}

/**
 * Makes the stream that undoes a Content-Encoding; "identity" where there is nothing to undo.
 * Undefined for an unknown encoding and for stacked ones, which no honest registry sends and which
 * multiply what a small answer can grow to.
 */
export function contentDecoder(encoding: string | undefined): Transform | "identity" | undefined {
  switch ((encoding ?? "").trim().toLowerCase()) {
    case "":
    case "identity":
      return "identity";
    case "gzip":
    case "x-gzip":
      return zlib.createGunzip();
    case "deflate":
      return zlib.createInflate();
    case "br":
      return zlib.createBrotliDecompress();
    case "zstd":
      return hasZstd() ? zstdDecoder() : undefined;
    default:
      return undefined;
  }
}

function hasZstd(): boolean {
  return "createZstdDecompress" in zlib;
}

interface ZstdDecoding {
  createZstdDecompress(options: { params: Record<number, number> }): Transform;
  readonly constants: { readonly ZSTD_d_windowLogMax: number };
}

/** RFC 9659: a window larger than 8 MB must be refused; zlib's own default takes 128 MB. */
function zstdDecoder(): Transform {
  const { createZstdDecompress, constants } = zlib as unknown as ZstdDecoding;
  return createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: 23 } });
}
