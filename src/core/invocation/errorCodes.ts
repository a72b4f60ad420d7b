import { codeRow, codes } from "../project/gateway/codes";
import type { LocalizableText } from "../text/language";
import type { InvocationOutcome, RefusalReason } from "./invocation";

/**
 * Returns the reason for an error code. Accepts other spellings (`RATE-LIMIT-EXCEEDED`). Every code about scopes means
 * that the key does not suffice. Undefined for any other code outside the contract.
 */
export function reasonOfCode(code: string): RefusalReason | undefined {
  const spelled = spellCode(code);
  const isAboutScope = /(^|_)scopes?(_|$)/.test(spelled);
  return codeRow(spelled)?.reason ?? (isAboutScope ? "unauthorized" : undefined);
}

/** Normalizes a code to the contract's spelling: lower case with underscores. */
export function spellCode(code: string): string {
  return code
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_");
}

/** Returns whether a code means that the project of a test run does not exist. */
export function isProjectGone(code = ""): boolean {
  return spellCode(code) === "project_not_found";
}

/** Returns whether a refusal contradicts the facts that were read about the skill. */
export function contradictsSkill({ reason, code = "" }: { reason: RefusalReason; code?: string }) {
  const isAboutStatus = ["skill_not_verified", "skill_not_allowed"].includes(spellCode(code));
  return isAboutStatus || (reason === "notFound" && !isProjectGone(code));
}

/** Explains an error code in any spelling. Undefined for a code outside the contract that is not about scopes. */
export function errorCodeText(code: string | undefined): LocalizableText | undefined {
  if (code === undefined) return undefined;
  const known = codeRow(spellCode(code));
  if (known !== undefined) return known.text;
  // A code outside the contract has a reason only if it is about scopes.
  return reasonOfCode(code) === undefined ? undefined : codes.insufficient_scope.text;
}

/** The parts of a response on the runtime route that determine its kind. */
export interface ResponseFacts {
  readonly status: number;
  /** False if the body is not a JSON object. */
  readonly isReadable: boolean;
  readonly code?: string;
  /** The body's own `status`, such as success or error. */
  readonly runStatus?: string;
  readonly hasInvocationId: boolean;
  readonly hasOutput: boolean;
  /** Whether `WWW-Authenticate` names `insufficient_scope`. */
  readonly lacksScope: boolean;
  readonly hasLocation: boolean;
}

/**
 * The kind of a response: the skill's result, the skill's failure, a rejection with its reason, or `unknown` where the
 * invocation may have run.
 */
export type ResponseKind = "success" | "skillError" | "unknown" | RefusalReason;

/** Classifies a response of the runtime route: by code first, then by status. */
export function classifyResponse(facts: ResponseFacts): ResponseKind {
  if (facts.status < 300) return classifySuccess(facts);
  if (facts.status < 400) return facts.hasLocation ? "redirected" : "unknown";
  const hasRun = facts.runStatus === "error" && facts.hasInvocationId;
  // The error code of a failed run is the skill's own and may look like one of the registry's.
  if (hasRun && facts.status >= 500) return "skillError";
  const byCode = facts.code === undefined ? undefined : reasonOfCode(facts.code);
  return byCode ?? (hasRun ? "skillError" : reasonOfStatus(facts));
}

function classifySuccess(facts: ResponseFacts): ResponseKind {
  if (facts.runStatus === "error") return "skillError";
  if (facts.hasOutput || facts.runStatus === "success") return "success";
  const byCode = facts.code === undefined ? undefined : reasonOfCode(facts.code);
  return byCode ?? (facts.hasInvocationId ? "success" : "unknown");
}

/**
 * HTTP statuses with which a server says that it did not perform a request (RFC 9110, 6585, 8470). They often come from
 * a server in front of the registry, without a registry's message. 503 is not included, since a gateway also sends it
 * after the skill ran.
 */
const notPerformed: ReadonlySet<number> = new Set([
  405, 411, 414, 415, 417, 421, 425, 426, 428, 431, 501, 505,
]);

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

/**
 * Interprets the outcome of a test run. Its route is for signed-in users: 401 and 403 are about the user instead of a
 * key. The gateway also returns 400 without a runtime code while its database is down. Test runs are not billed.
 */
export function asTestRun(outcome: InvocationOutcome): InvocationOutcome {
  if (outcome.kind === "notSent" || outcome.kind === "outcomeUnknown") return outcome;
  return outcome.kind === "refused"
    ? { ...outcome, reason: testRunReason(outcome) }
    : { billable: false, ...outcome };
}

function testRunReason(outcome: Extract<InvocationOutcome, { kind: "refused" }>): RefusalReason {
  const { status, reason, code, message } = outcome;
  const isCodeless = code === undefined || ["bad_request", "forbidden"].includes(spellCode(code));
  switch (status) {
    case 401:
      return "signedOut";
    case 400:
      return isCodeless ? "registryError" : reason;
    case 403:
      return isCodeless ? "wrongRole" : reason;
    case 404:
      return code === undefined && message === undefined ? "notOffered" : reason;
    case 405:
    case 501:
      return "notOffered";
    default:
      return reason;
  }
}
