import type { Transform } from "node:stream";
import * as zlib from "node:zlib";
import { version } from "../../../package.json";
import type { Credential } from "../../core/registry/credential";
import type { RegistryFailure } from "../../core/registry/registryFailure";
import { parseUrl } from "../../core/text/parseUrl";

/**
 * An outgoing request. `path` starts with a slash and includes the query. A credential is in `credential` and
 * in no header: the transport adds it where it may go.
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

/** A response. `body` is decoded (Content-Encoding undone) and, in a failure, may be cut short. */
export interface WireResponse {
  readonly status: number;
  readonly headers: WireHeaders;
  readonly body: Buffer;
}

/** How long and how large one exchange may be, from the start of the request to the last decoded byte. */
export interface ExchangeLimits {
  readonly seconds: number;
  readonly maxBytes: number;
}

/**
 * The result of a request. `mayBeSent` is false only where it is certain that not one byte of it was handed to a
 * connection; `partial` is the response as far as it was received.
 */
export type Exchange =
  | { readonly kind: "answered"; readonly answer: WireResponse }
  | {
      readonly kind: "failed";
      readonly failure: RegistryFailure;
      readonly mayBeSent: boolean;
      readonly partial?: WireResponse;
    };

/** The target of a redirect. `shown` is without path, user name and password; empty where it cannot be read. */
interface RedirectTarget {
  /** Undefined where the location cannot be read. */
  readonly url: URL | undefined;
  readonly shown: string;
}

/** Reads the target of a redirect as the response to a request for `from`. Undefined for any other response. */
export function redirectTarget(answer: WireResponse, from: URL): RedirectTarget | undefined {
  const location = answer.headers["location"];
  if (![301, 302, 303, 307, 308].includes(answer.status) || location === undefined)
    return undefined;
  const url = parseUrl(location, from.href);
  if (url === undefined) return { url, shown: "" };
  const shown = url.origin === "null" ? url.protocol : url.origin;
  return { url, shown: shown.slice(0, 300) };
}

/** The header fields every request carries. */
export function requestHeaders(): Readonly<Record<string, string>> {
  return {
    accept: "application/json, application/problem+json",
    "accept-encoding": acceptedEncodings(),
    "user-agent": `skill-registry-vscode/${version}`,
  };
}

/** The names of the encodings this Node can undo, for Accept-Encoding. */
function acceptedEncodings(): string {
  return hasZstd() ? "gzip, deflate, br, zstd" : "gzip, deflate, br";
}

/**
 * Creates the stream that undoes a Content-Encoding; "identity" where there is nothing to undo. Undefined for
 * an unknown encoding and for stacked ones, which no legitimate registry sends and which multiply the size
 * that a small response can expand to.
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

/** Returns whether this Node.js knows zstd: from 22.15 on. The command line runs from 22.13 on. */
function hasZstd(): boolean {
  return "createZstdDecompress" in zlib;
}

/** RFC 9659: a window larger than 8 MB must be rejected; zlib's own default allows 128 MB. */
function zstdDecoder(): Transform {
  return zlib.createZstdDecompress({ params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 } });
}
