import type { Credential } from "../../core/registry/credential";
import type { RegistryFailure } from "../../core/registry/registryFailure";

/**
 * A request as it goes out. `path` starts with a slash and includes the query. A credential stands in
 * `credential` and in no header: the transport adds it where it may go.
 */
export interface WireRequest {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly credential?: Credential;
  readonly body?: Buffer;
}

/** Header fields by lower-case name; a field that came several times is joined with ", ". */
export type WireHeaders = Readonly<Record<string, string | undefined>>;

/** An answer. `body` is decoded (Content-Encoding undone) and, in a failure, may be cut short. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: WireHeaders;
  readonly body: Buffer;
}

/** How long and how large one exchange may be, from the invocation to the last decoded byte. */
export interface ExchangeLimits {
  readonly seconds: number;
  readonly maxBytes: number;
}

/**
 * What became of a request. `left` is false only where it is certain that not one byte of it was
 * handed to a connection; `partial` is the answer as far as it came.
 */
export type Exchange =
  | { readonly kind: "answered"; readonly answer: WireAnswer }
  | {
      readonly kind: "failed";
      readonly failure: RegistryFailure;
      readonly left: boolean;
      readonly partial?: WireAnswer;
    };
