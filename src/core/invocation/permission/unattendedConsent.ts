import { errorCount, type PayloadCheck } from "../../payload/payloadCheck";
import { standingLines, type TeamStanding } from "../../review/driftText";
import { invocationPrice } from "../../skill/price";
import type { SkillDetail } from "../../skill/skill";
import type { Language } from "../../text/language";
import { canInvoke } from "./canInvoke";
import { consentQuestion, needsConsent } from "./consentQuestion";
import { notCallableText } from "./gateNotices";
import { asFree, termsOf } from "./terms";

/** What may be sent without asking anybody, because it was allowed beforehand. */
export interface Allowances {
  /** Agrees to what the skill may do and costs. */
  readonly terms: boolean;
  /** Sends payloads that could not be checked. */
  readonly unchecked: boolean;
  /** Sends what looks like a credential. */
  readonly secrets: boolean;
  /** Sends to a skill that does not match, or no longer matches, the repository's reviews. */
  readonly unreviewed: boolean;
  /** What one invocation may cost at most, in hundredths of the currency. Undefined for no limit. */
  readonly maxCents: number | undefined;
}

/** Why nothing is sent: the reason in one word, a message, and details. */
export interface GateStop {
  readonly kind:
    | "notCallable"
    | "terms"
    | "price"
    | "unreviewed"
    | "invalid"
    | "unchecked"
    | "secrets";
  readonly message: string;
  /** Further facts, one a line. */
  readonly detail: readonly string[];
}

/** What is invoked, where, and what its reviews say; `standing` is undefined in a workspace without reviews. */
export interface UnattendedSkill {
  readonly skill: SkillDetail;
  readonly registry: string;
  readonly origin: string;
  readonly isBuiltIn: boolean;
  /** Sent with a user's sign-in and not billed, so that no price counts. */
  readonly isTestRun?: boolean;
  readonly standing?: TeamStanding | undefined;
}

/**
 * Decides whether a skill may be invoked without a user to ask: whatever the editor would ask about needs an
 * allowance. Undefined where it may.
 */
export function skillGate(
  { skill: read, registry, origin, isBuiltIn, isTestRun = false, standing }: UnattendedSkill,
  allowed: Allowances,
  language: Language,
): GateStop | undefined {
  const { t } = language;
  const skill = isTestRun ? asFree(read) : read;
  const { slug } = skill.summary;
  const verdict = canInvoke(skill);
  if (verdict.kind === "no") {
    return { kind: "notCallable", message: notCallableText(slug, verdict, language), detail: [] };
  }
  if (standing !== undefined && !allowed.unreviewed) {
    const detail = standingLines(standing, language);
    if (detail.length > 0) {
      const message = t("{skill} was not invoked: it differs from what this repository reviewed.", {
        skill: slug,
      });
      return { kind: "unreviewed", message, detail };
    }
  }
  const price = invocationPrice(skill);
  const { maxCents } = allowed;
  if (
    maxCents !== undefined &&
    (price.kind === "unknown" || (price.kind === "amount" && price.cents > maxCents))
  ) {
    const message =
      price.kind === "unknown"
        ? t("{skill} was not invoked: its price is not known, and a limit is set.", { skill: slug })
        : t("{skill} was not invoked: one invocation costs more than the limit.", { skill: slug });
    return { kind: "price", message, detail: [] };
  }
  if (needsConsent(skill, isBuiltIn) && !allowed.terms) {
    const target = { origin, isBuiltIn, isTestRun, warning: "" };
    const question = consentQuestion(termsOf(registry, skill), undefined, target, language);
    const message = t("{skill} was not invoked: its terms have not been agreed to.", {
      skill: slug,
    });
    return { kind: "terms", message, detail: question.detail };
  }
  return undefined;
}

/** Decides whether a payload may be sent without a user to ask. Undefined where it may. */
export function payloadGate(
  slug: string,
  check: PayloadCheck,
  allowed: Pick<Allowances, "unchecked" | "secrets">,
  { t }: Language,
): GateStop | undefined {
  const secrets = check.problems.filter(({ code }) => code === "secret");
  if (errorCount(check) > 0 || check.state === "invalid") {
    const message = t("{skill} was not invoked: its payload is not valid.", { skill: slug });
    return { kind: "invalid", message, detail: [] };
  }
  if (check.state === "unchecked" && !allowed.unchecked) {
    const message = t("{skill} was not invoked: its payload could not be checked.", {
      skill: slug,
    });
    return { kind: "unchecked", message, detail: check.reason === undefined ? [] : [check.reason] };
  }
  if (secrets.length > 0 && !allowed.secrets) {
    const message = t("{skill} was not invoked: its payload seems to hold a credential.", {
      skill: slug,
    });
    return { kind: "secrets", message, detail: secrets.map((one) => one.message) };
  }
  return undefined;
}
