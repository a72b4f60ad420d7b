import type { RegistryFailure } from "../registry/registryFailure";

/** One invocation of a skill, as it is sent to the registry. */
export interface Invocation {
  readonly skillSlug: string;
  /** Empty for the registry's choice. */
  readonly version: string;
  /** The payload as typed: JSON text that is sent byte for byte. */
  readonly inputText: string;
}

/** The outcome of an invocation. `durationMs` is measured locally, from sending to the last byte. */
export type InvocationOutcome =
  | (Answered & {
      readonly kind: "success";
      /**
       * Whether the registry recorded the invocation without running the skill: it never runs it, or, with a
       * `runStatus`, it has no result yet.
       */
      readonly acceptedNotRun: boolean;
      /** The output's own JSON text, as received; `null` if the response had none. */
      readonly outputText: string;
    })
  /** The skill ran and failed. */
  | (Answered & { readonly kind: "skillError"; readonly outputText?: string })
  /** The registry rejected the invocation, or failed before it could report the outcome. */
  | (Answered & {
      readonly kind: "refused";
      readonly reason: RefusalReason;
      /** The HTTP status; 0 if the invocation was not sent because the key is unusable. */
      readonly status: number;
      readonly policy?: PolicyVerdict;
      /** Seconds to wait before the next invocation, if the registry states them. */
      readonly retryAfterSeconds?: number;
      readonly inputProblems?: readonly RejectedValue[];
      /** The origin of a redirect, which was not followed; empty if it could not be parsed. */
      readonly redirectTarget?: string;
      /** Who answered instead of the registry. */
      readonly failure?: RegistryFailure;
    })
  /** The invocation was not sent. Sending it again is safe. */
  | { readonly kind: "notSent"; readonly failure: RegistryFailure }
  /** The invocation was sent and no response arrived: it may have run and may be billed. */
  | {
      readonly kind: "outcomeUnknown";
      readonly failure: RegistryFailure;
      readonly durationMs: number;
      /** The ID in the part of the response that was received, if any. */
      readonly invocationId?: string;
      /** The output beside a status that is not known here. */
      readonly outputText?: string;
    };

/**
 * Returns whether an invocation was not sent because its skill had been read more than five minutes before. In a long
 * run this is normal: the next attempt reads the skill again.
 */
export function isTooLate(outcome: InvocationOutcome): boolean {
  return outcome.kind === "notSent" && outcome.failure.kind === "outdated";
}

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
  /** The HTTP status says that the server did not perform the request. */
  | "notPerformed"
  /** A proxy or firewall rejected the request; `failure` has its answer. */
  | "notRegistry"
  | "registryError"
  /** Only for a test run: the registry no longer accepts the session. */
  | "signedOut"
  /** Only for a test run: the signed-in user's role does not allow it. */
  | "wrongRole"
  /** Only for a test run: the registry has no such route. */
  | "notOffered";

/** Members that every response of the runtime route may have. */
export interface Answered {
  /** An opaque ID; undefined if the registry returned none. */
  readonly invocationId?: string;
  readonly mode?: string;
  readonly projectSlug?: string;
  /** The version that ran, if the registry returns it. */
  readonly version?: string;
  readonly durationMs: number;
  readonly billable?: boolean;
  readonly amountCents?: number;
  readonly currency?: string;
  /** Seconds until the registry accepts another invocation, if it announced that this was the last one for now. */
  readonly pauseSeconds?: number;
  readonly code?: string;
  /** The registry's own message. */
  readonly message?: string;
  /** The registry's own word for the status, such as `queued`. Missing for a success. */
  readonly runStatus?: string;
  /** Whether characters of the response could not be decoded and were replaced. */
  readonly hasReplacedText?: true;
}

/**
 * Returns the cost that a response names, in the smallest unit of its currency. Undefined if it names no amount; then the
 * listed price counts.
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

/** A value that the registry rejected. `pointer` is a JSON pointer, empty for the whole payload. */
export interface RejectedValue {
  readonly pointer: string;
  readonly message: string;
}

/**
 * Writes the body of an invocation. Inserts the payload exactly as typed, so that big integers, number spelling and key
 * order survive. Omits an empty version. Throws if the payload is not one JSON value, since such text could change the
 * body around it.
 */
export function invokeBody(invocation: Invocation): string {
  JSON.parse(invocation.inputText);
  const version =
    invocation.version === "" ? "" : `"version":${JSON.stringify(invocation.version)},`;
  return `{"skillSlug":${JSON.stringify(invocation.skillSlug)},${version}"input":${wellFormed(invocation.inputText)}}`;
}

/**
 * Writes the body that the public gateway sends to the entrypoint of an HTTP skill, with the payload exactly as typed.
 * Throws if the payload is not one JSON value.
 */
export function entrypointBody(inputText: string): string {
  JSON.parse(inputText);
  return `{"input":${wellFormed(inputText)}}`;
}

/**
 * Escapes unpaired surrogates, which have no UTF-8 form. They occur only in strings, where an escape keeps the value.
 */
function wellFormed(text: string): string {
  if (!/[\ud800-\udfff]/.test(text)) return text;
  return text.replace(/\p{Surrogate}/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`);
}
