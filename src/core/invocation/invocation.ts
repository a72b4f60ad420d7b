import type { RegistryFailure } from "../registry/registryFailure";

/** One invocation of a skill, as it goes to the registry. */
export interface Invocation {
  readonly skillSlug: string;
  /** Empty lets the registry choose. */
  readonly version: string;
  /** The payload as typed: JSON text that is sent byte for byte. */
  readonly inputText: string;
}

/** The outcome of an invocation. `durationMs` is measured here, from sending to the last byte. */
export type InvocationOutcome =
  | (Answered & {
      readonly kind: "success";
      /** True where the registry recorded and metered the invocation but did not run the skill. */
      readonly acceptedNotRun: boolean;
      /** The output's own JSON text, as received; `null` where the response had none. */
      readonly outputText: string;
    })
  /** The skill ran and failed. */
  | (Answered & { readonly kind: "skillError"; readonly outputText?: string })
  /** The registry rejected the invocation, or failed before it could report the outcome. */
  | (Answered & {
      readonly kind: "refused";
      readonly reason: RefusalReason;
      /** The HTTP status; 0 where the invocation was not sent because there is no usable key. */
      readonly status: number;
      readonly policy?: PolicyVerdict;
      /** Seconds to wait before the next invocation, where the registry says. */
      readonly retryAfterSeconds?: number;
      readonly inputProblems?: readonly RejectedValue[];
      /** The origin a redirect led to, which was not followed; empty where it could not be read. */
      readonly redirectTarget?: string;
    })
  /** The invocation never left; sending it again is safe. */
  | { readonly kind: "notSent"; readonly failure: RegistryFailure }
  /** The invocation was sent and no response arrived: it may have run and may be billed. */
  | {
      readonly kind: "outcomeUnknown";
      readonly failure: RegistryFailure;
      readonly durationMs: number;
      /** The ID in the part of the response that was received, if any. */
      readonly invocationId?: string;
    };

/** The error cases of the runtime route. */
export type RefusalReason =
  | "missingKey"
  | "unauthorized"
  | "validation"
  | "policy"
  | "rateLimit"
  | "payment"
  | "notFound"
  | "tooLarge"
  | "redirected"
  /** By its HTTP status, the server did not perform the request. */
  | "notPerformed"
  | "registryError"
  /** Of a test run: the registry no longer accepts the session. */
  | "signedOut"
  /** Of a test run: the signed-in user's role does not allow it. */
  | "wrongRole"
  /** Of a test run: the registry has no such route. */
  | "notOffered";

/** What every answer of the runtime route may carry. */
export interface Answered {
  /** Opaque; undefined where the registry gave none. */
  readonly invocationId?: string;
  readonly mode?: string;
  readonly projectSlug?: string;
  /** The version that ran, where the registry says. */
  readonly version?: string;
  readonly durationMs: number;
  readonly billable?: boolean;
  readonly amountCents?: number;
  readonly currency?: string;
  /** Seconds until the registry accepts another invocation, where it says that this was the last one for now. */
  readonly pauseSeconds?: number;
  readonly code?: string;
  /** The registry's own words. */
  readonly message?: string;
}

/**
 * Returns what an answer says that the invocation cost, in hundredths of its currency. Undefined where it names
 * no amount, so that the listed price counts.
 */
export function namedCents({ amountCents, billable }: Answered): number | undefined {
  return amountCents ?? (billable === false ? 0 : undefined);
}

/** The registry's explanation of why a policy blocked an invocation. */
export interface PolicyVerdict {
  readonly permissionLevel?: string;
  readonly maxPermissionLevel?: string;
  readonly installStatus?: string;
  readonly approvalState?: string;
  readonly verificationStatus?: string;
  readonly rateLimit?: { readonly limit?: number; readonly used?: number };
  readonly budget?: { readonly limitCents?: number; readonly usedCents?: number };
  readonly subscription?: string;
}

/** A value the registry rejected. `pointer` is a JSON pointer, empty for the whole payload. */
export interface RejectedValue {
  readonly pointer: string;
  readonly message: string;
}

/**
 * Writes the body of an invocation. The payload goes in exactly as typed, so that big integers, number
 * spelling and key order survive; an empty version is left out. Throws where the payload is not one
 * JSON value: such text could change the body around it and must be refused before.
 */
export function invokeBody(invocation: Invocation): string {
  JSON.parse(invocation.inputText);
  const version =
    invocation.version === "" ? "" : `"version":${JSON.stringify(invocation.version)},`;
  return `{"skillSlug":${JSON.stringify(invocation.skillSlug)},${version}"input":${wellFormed(invocation.inputText)}}`;
}

/** Half a surrogate pair has no UTF-8 form. As an escape, which is only possible in strings, it keeps its value. */
function wellFormed(text: string): string {
  if (!/[\ud800-\udfff]/.test(text)) return text;
  return text.replace(/\p{Surrogate}/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`);
}
