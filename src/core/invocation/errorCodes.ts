import { codeRow, codes, spellCode } from "../project/gateway/codes";
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
  if (reason === "notRegistry") return reason;
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
