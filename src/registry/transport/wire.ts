import type { Transform } from "node:stream";
import * as zlib from "node:zlib";
import { version } from "../../../package.json";
import type { Credential } from "../../core/registry/credential";
import type { RegistryFailure } from "../../core/registry/registryFailure";
import { parseUrl } from "../../core/text/parseUrl";

/**
 * An outgoing request. `path` starts with a slash and includes the query. A credential goes into `credential`, never
 * into `headers`: the transport adds it only if it may be sent.
 */
export interface WireRequest {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly credential?: Credential;
  readonly body?: Buffer;
}

/** Header fields by lower-case name; repeated fields are joined with ", ". */
export type WireHeaders = Readonly<Record<string, string | undefined>>;

/**
 * A response. `body` is decoded (Content-Encoding) and in UTF-8, and may be truncated in a failure. `note` says for the
 * log why characters of the body may be wrong.
 */
export interface WireResponse {
  readonly status: number;
  readonly headers: WireHeaders;
  readonly body: Buffer;
  /** Says for the log why characters were replaced; undefined if none were. */
  readonly note?: string;
}

/** The time and size limits of one exchange, from the start of the request to the last decoded byte. */
export interface ExchangeLimits {
  readonly seconds: number;
  readonly maxBytes: number;
}

/**
 * The result of a request. `mayBeSent` is false only if certainly no byte was handed to a connection; `partial` is the
 * response received so far.
 */
export type Exchange =
  | { readonly kind: "answered"; readonly answer: WireResponse }
  | {
      readonly kind: "failed";
      readonly failure: RegistryFailure;
      readonly mayBeSent: boolean;
      readonly partial?: WireResponse;
    };

/** The target of a redirect. `shown` has no path, user name or password; it is empty if the location is not a URL. */
interface RedirectTarget {
  /** Undefined if the location is not a URL. */
  readonly url: URL | undefined;
  readonly shown: string;
}

/** Returns the target of a redirect in response to a request for `from`. Undefined for any other response. */
export function redirectTarget(answer: WireResponse, from: URL): RedirectTarget | undefined {
  const location = answer.headers["location"];
  if (![301, 302, 303, 307, 308].includes(answer.status) || location === undefined)
    return undefined;
  const url = parseUrl(location, from.href);
  if (url === undefined) return { url, shown: "" };
  const shown = url.origin === "null" ? url.protocol : url.origin;
  return { url, shown: shown.slice(0, 300) };
}

/** Returns the header fields of every request. */
export function requestHeaders(): Readonly<Record<string, string>> {
  return {
    accept: "application/json, application/problem+json",
    "accept-encoding": acceptedEncodings(),
    "user-agent": `skill-registry-vscode/${version}`,
  };
}

/** Returns the encodings that this Node.js can decode, for Accept-Encoding. */
function acceptedEncodings(): string {
  return hasZstd() ? "gzip, deflate, br, zstd" : "gzip, deflate, br";
}

/** The encodings that can be decoded; zstd only if this Node.js supports it. */
export type ContentEncoding = "identity" | "gzip" | "deflate" | "br" | "zstd";

/**
 * Reads a Content-Encoding; "identity" if there is nothing to decode. Undefined for unknown and stacked encodings. No
 * legitimate registry stacks them, and they multiply how far a small response can expand.
 */
export function encodingOf(header: string | undefined): ContentEncoding | undefined {
  const name = (header ?? "").trim().toLowerCase();
  switch (name) {
    case "":
    case "identity":
      return "identity";
    case "x-gzip":
      return "gzip";
    case "gzip":
    case "deflate":
    case "br":
      return name;
    case "zstd":
      return hasZstd() ? name : undefined;
    default:
      return undefined;
  }
}

/** Creates the stream that decodes an encoding. `first` is the start of the encoded bytes, at least one. */
export function contentDecoder(
  encoding: Exclude<ContentEncoding, "identity">,
  first: Buffer,
): Transform {
  switch (encoding) {
    case "gzip":
      return zlib.createGunzip();
    case "deflate":
      // Some servers leave out the zlib wrapper (RFC 1950), whose first byte names the method 8.
      return ((first[0] ?? 0) & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw();
    case "br":
      return zlib.createBrotliDecompress();
    case "zstd":
      return zstdDecoder();
  }
}

/** Returns whether this Node.js supports zstd, which exists since 22.15. The command line runs from 22.13 on. */
function hasZstd(): boolean {
  return "createZstdDecompress" in zlib;
}

/** Creates a decoder that rejects windows over 8 MB, as RFC 9659 requires; zlib's default allows 128 MB. */
function zstdDecoder(): Transform {
  return zlib.createZstdDecompress({ params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 } });
}
