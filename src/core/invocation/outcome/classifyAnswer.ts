import type { InvocationOutcome, RefusalReason } from "../invocation";
import { reasonOfCode, spellCode } from "./errorCodes";

/** What an answer of the runtime route says, as far as its kind depends on it. */
export interface AnswerFacts {
  /** The HTTP status. */
  readonly status: number;
  /** False where the body is not a JSON object. */
  readonly isReadable: boolean;
  readonly code?: string;
  /** The body's own `status`, such as success or error. */
  readonly runStatus?: string;
  readonly hasInvocationId: boolean;
  readonly hasOutput: boolean;
  /** `WWW-Authenticate` names `insufficient_scope`. */
  readonly lacksScope: boolean;
  /** A `Location` is given. */
  readonly hasLocation: boolean;
}

/**
 * What an answer is: the skill's result, the skill's failure, a refusal by its reason, or `unknown`
 * where the invocation may have run and the answer does not tell.
 */
export type AnswerKind = "success" | "skillError" | "unknown" | RefusalReason;

/** Tells the answers of the runtime route apart: by code first, then by status. */
export function classifyAnswer(facts: AnswerFacts): AnswerKind {
  if (facts.status < 300) return classifySuccess(facts);
  if (facts.status < 400) return facts.hasLocation ? "redirected" : "unknown";
  const hasRun = facts.runStatus === "error" && facts.hasInvocationId;
  // The code of a run that failed is the skill's own and may sound like one of the registry's.
  if (hasRun && facts.status >= 500) return "skillError";
  const byCode = facts.code === undefined ? undefined : reasonOfCode(facts.code);
  return byCode ?? (hasRun ? "skillError" : reasonOfStatus(facts));
}

function classifySuccess(facts: AnswerFacts): AnswerKind {
  if (facts.runStatus === "error") return "skillError";
  if (facts.hasOutput || facts.runStatus === "success") return "success";
  const byCode = facts.code === undefined ? undefined : reasonOfCode(facts.code);
  return byCode ?? (facts.hasInvocationId ? "success" : "unknown");
}

function reasonOfStatus(facts: AnswerFacts): AnswerKind {
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
    // Busy or not able to: says by its meaning that the invocation was not taken up.
    case 501:
    case 503:
    case 505:
      return "registryError";
    // A gateway that lost the one behind it does not know how far the invocation came.
    case 502:
    case 504:
      return "unknown";
    default:
      return facts.status >= 500 && !facts.isReadable ? "unknown" : "registryError";
  }
}

/**
 * Reads the outcome of a test run, whose route is one of people: 401 and 403 are about them and not
 * about a key, and 400 without a code of the runtime is also what the gateway says while its database is
 * down.
 */
export function asTestRun(outcome: InvocationOutcome): InvocationOutcome {
  return outcome.kind === "refused" ? { ...outcome, reason: testRunReason(outcome) } : outcome;
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
