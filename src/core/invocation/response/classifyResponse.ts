import { isSuccessStatus } from "../../registry/httpStatus";
import { reasonOfCode } from "../errorCodes";
import type { RefusalReason } from "../invocation";
import { type RunStatus, runStatusOf } from "./runStatus";

/** The parts of a response on the runtime route that determine its kind. */
export interface ResponseFacts {
  readonly status: number;
  /** False if the body is not a JSON object. */
  readonly isReadable: boolean;
  /** Whether the body is a page or text of another server, such as a proxy, a firewall or a sign-in page. */
  readonly isForeign: boolean;
  readonly code?: string;
  /** The body's own `status`, such as success or error. */
  readonly runStatus?: string;
  readonly hasInvocationId: boolean;
  readonly hasOutput: boolean;
  /** Whether the body has an error, such as `{"error":{"message":"…"}}`. */
  readonly hasError: boolean;
  /** Whether `WWW-Authenticate` names `insufficient_scope`. */
  readonly lacksScope: boolean;
  readonly hasLocation: boolean;
}

/**
 * The kind of a response: the skill's result, the skill's failure, an invocation without a result yet, a rejection with
 * its reason, or unknown where the invocation may have run. `unknownStatus`: the registry's own status is an unknown
 * word.
 */
export type ResponseKind =
  | ("success" | "skillError" | "waiting" | "unknown" | "unknownStatus")
  | RefusalReason;

/** Classifies a response of the runtime route: by code first, then by status. */
export function classifyResponse(facts: ResponseFacts): ResponseKind {
  if (isSuccessStatus(facts.status)) return classifySuccess(facts);
  if (facts.status < 400) return facts.hasLocation ? "redirected" : "unknown";
  const hasRun = statusIn(facts) === "failed" && facts.hasInvocationId;
  // The error code of a failed run is the skill's own and may look like one of the registry's.
  if (hasRun && facts.status >= 500) return "skillError";
  if (facts.isForeign) return reasonOfProxy(facts);
  return byCode(facts) ?? (hasRun ? "skillError" : reasonOfStatus(facts));
}

function classifySuccess(facts: ResponseFacts): ResponseKind {
  switch (statusIn(facts)) {
    case "success":
      return facts.hasError ? "skillError" : "success";
    case "failed":
      return "skillError";
    case "stopped":
      return byCode(facts) ?? "skillError";
    case "waiting":
      return "waiting";
    case "unknown":
      return byCode(facts) ?? "unknownStatus";
    case undefined:
      return withoutStatus(facts);
  }
}

function withoutStatus(facts: ResponseFacts): ResponseKind {
  const { status, hasOutput, hasError, hasInvocationId } = facts;
  const reason = hasOutput ? undefined : byCode(facts);
  if (reason !== undefined) return reason;
  if (hasError) return hasOutput || hasInvocationId ? "skillError" : "unknown";
  if (status === 202) return "waiting";
  return hasOutput || hasInvocationId ? "success" : "unknown";
}

function statusIn({ runStatus }: ResponseFacts): RunStatus | "unknown" | undefined {
  return runStatus === undefined ? undefined : (runStatusOf(runStatus) ?? "unknown");
}

function byCode({ code }: ResponseFacts): RefusalReason | undefined {
  return code === undefined ? undefined : reasonOfCode(code);
}

/**
 * HTTP statuses with which a server says that it did not perform a request (RFC 9110, 6585, 8470). A proxy that requires
 * a sign-in (407, 511) forwarded nothing. They often come from
 * a server in front of the registry, without a registry's message. 503 is not included, since a gateway also sends it
 * after the skill ran.
 */
const notPerformed: ReadonlySet<number> = new Set([
  405, 407, 411, 414, 415, 417, 421, 425, 426, 428, 431, 501, 505, 511,
]);

/**
 * Returns the reason of a status of a proxy or firewall. It says nothing about the payload, the project, the skill or
 * the key.
 */
function reasonOfProxy(facts: ResponseFacts): ResponseKind {
  const reason = reasonOfStatus(facts);
  switch (reason) {
    case "notPerformed":
    case "tooLarge":
    case "rateLimit":
      return reason;
    case "registryError":
    case "unknown":
      return "unknown";
    default:
      return "notRegistry";
  }
}

function reasonOfStatus(facts: ResponseFacts): ResponseKind {
  // With an invocation ID, the registry has recorded the invocation, so it may have run.
  if (notPerformed.has(facts.status) && !facts.hasInvocationId) return "notPerformed";
  switch (facts.status) {
    case 400:
    case 422:
      return "validation";
    case 401:
      return "unauthorized";
    case 402:
      return "payment";
    case 403:
      return facts.lacksScope ? "unauthorized" : "policy";
    case 404:
      return "notFound";
    case 413:
      return "tooLarge";
    case 429:
      return "rateLimit";
    case 501:
    case 503:
    case 505:
      return "registryError";
    // The upstream may have run the skill before the gateway lost the connection.
    case 502:
    case 504:
      return "unknown";
    default:
      return facts.status >= 500 && !facts.isReadable ? "unknown" : "registryError";
  }
}
