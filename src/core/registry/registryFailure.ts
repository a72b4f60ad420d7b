import type { CredentialProblem } from "./credential";

/** Why a registry gave no usable answer. Nothing in it contains a Project Key. */
export type RegistryFailure =
  /** The caller stopped the request. */
  | { readonly kind: "cancelled" }
  /**
   * No connection: the request never left. `detail` is the system's word, such as ECONNREFUSED;
   * `withoutProxy` where it was tried directly because neither settings nor system name a proxy.
   */
  | {
      readonly kind: "unreachable";
      readonly cause: "name" | "refused" | "certificate" | "proxy" | "network";
      readonly detail: string;
      readonly withoutProxy?: true;
    }
  /** The request would have carried a Project Key to a public route; it was not sent. */
  | { readonly kind: "containsKey" }
  /** The request would have carried a credential where it may not go; it was not sent. */
  | { readonly kind: "wrongCredential"; readonly problem: CredentialProblem }
  /** No complete answer within the time allowed. */
  | { readonly kind: "timeout"; readonly seconds: number }
  /** The connection broke before the answer was complete. */
  | { readonly kind: "connectionLost"; readonly detail: string }
  /** The answer, or its headers, passed the size limit. */
  | { readonly kind: "tooLarge"; readonly limitBytes: number }
  /** The answer describes more than can be shown while the editor waits; `limit` counts its members. */
  | { readonly kind: "tooManyValues"; readonly limit: number }
  /** The registry sent the request elsewhere; it was not followed. `target` is an origin. */
  | { readonly kind: "redirected"; readonly target: string }
  /** The registry answered that there is no such thing. */
  | { readonly kind: "notFound"; readonly message?: string }
  /** An error answer of any other sort, in the registry's own words where it gave some. */
  | {
      readonly kind: "errorAnswer";
      readonly status: number;
      readonly code?: string;
      readonly message?: string;
    }
  /** The answer could not be read: `field` (empty for the whole body) of `route`. */
  | { readonly kind: "unreadable"; readonly route: string; readonly field: string };

/** A value or the reason there is none. */
export type Result<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: RegistryFailure };
