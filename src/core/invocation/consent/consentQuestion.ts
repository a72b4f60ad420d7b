import { standingLines, type TeamStanding, teamStandingName } from "../../review/driftText";
import { levelName } from "../../skill/permissionLevel";
import { permissionSentences } from "../../skill/permissionSentences";
import { permissionLevelOf } from "../../skill/permissions";
import { pricesText } from "../../skill/price";
import type { SkillDetail } from "../../skill/skill";
import type { Language } from "../../text/language";
import { lowerFirst } from "../../text/plainText";
import { isBilled } from "../limits/spending";
import type { Terms } from "./terms";
import { termsChanged, termsDifference } from "./termsDifference";

/** What a consent dialog shows. `detail` has one fact a line; an empty line stands between what has changed and the rest. */
export interface ConsentQuestion {
  readonly message: string;
  readonly detail: readonly string[];
  readonly agree: string;
}

/** Where an invocation goes, in the words of the dialog. */
export interface ConsentTarget {
  readonly origin: string;
  readonly isBuiltIn: boolean;
  /** True for a test run, which goes without a Project Key and is not billed. */
  readonly isTestRun: boolean;
  /** Says that it may be billed without being executed; empty where that is not to be expected. */
  readonly warning: string;
  /** What the project allows at most, where an earlier answer of the registry said so. */
  readonly maxPermissionLevel?: string;
  /** What the reviews of the workspace object to; left out where they do not. */
  readonly objection?: TeamStanding | undefined;
}

/**
 * Tells whether an invocation needs consent: where something is at stake. That is every invocation to a registry
 * elsewhere; at the built-in one, a skill that costs, may do more than compute, or does not say.
 */
export function needsConsent(skill: SkillDetail, isBuiltIn: boolean): boolean {
  return !isBuiltIn || isAtStake(skill);
}

/** Tells whether money, or more than computing, depends on what is known of a skill. */
export function isAtStake(skill: SkillDetail): boolean {
  const { permissions } = skill;
  const isLow = permissions !== undefined && permissionLevelOf(permissions) === "low";
  return isBilled(skill) || !isLow;
}

/**
 * Decides whether to ask before an invocation, and what; `before` are the terms last agreed to, where
 * there are any. Reviews of a workspace can only add a question: what they object to is asked every
 * time, and what they find good takes nothing away.
 */
export function neededQuestion(
  skill: SkillDetail,
  terms: { readonly now: Terms; readonly before: Terms | undefined },
  target: ConsentTarget,
  language: Language,
): ConsentQuestion | undefined {
  const { now, before } = terms;
  const isAgreed =
    before?.version === now.version && !termsChanged(before, now) && now.isPriceUnanswered !== true;
  const isAsked = !isAgreed && needsConsent(skill, target.isBuiltIn);
  return isAsked || target.objection !== undefined
    ? consentQuestion(now, before, target, language)
    : undefined;
}

/** Asks for consent to terms; `before` are the terms last agreed to, where there are any. */
export function consentQuestion(
  now: Terms,
  before: Terms | undefined,
  target: ConsentTarget,
  language: Language,
): ConsentQuestion {
  const { t } = language;
  const skill = now.version === "" ? now.skillSlug : `${now.skillSlug}@${now.version}`;
  const facts = [
    permissionsLine(now, language),
    costLine(now, target, language),
    ...(target.warning === "" ? [] : [target.warning]),
    ...policyLines(target, language),
    targetLine(target, language),
  ];
  const hasChanged = before !== undefined && termsChanged(before, now);
  const detail = hasChanged ? [...termsDifference(before, now, language), "", ...facts] : facts;
  const { objection } = target;
  if (objection !== undefined) {
    const { message, agree } = objectionWords(objection, skill, language);
    return { message, detail: [...standingLines(objection, language), "", ...detail], agree };
  }
  if (target.isTestRun) {
    const message = hasChanged
      ? t("{skill} has changed since you agreed to it. Test run it?", { skill })
      : t("Test run {skill}?", { skill });
    return { message, detail, agree: t("Run") };
  }
  const message = hasChanged
    ? t("{skill} has changed since you agreed to it. Invoke it?", { skill })
    : t("Invoke {skill}?", { skill });
  return { message, detail, agree: t("Invoke") };
}

/** A separate button, so that it is not pressed out of habit. */
function objectionWords(objection: TeamStanding, skill: string, { t }: Language) {
  switch (teamStandingName(objection)) {
    case "unreviewed":
      return {
        message: t("{skill} is not reviewed in this workspace. Invoke it unreviewed?", { skill }),
        agree: t("Invoke Unreviewed"),
      };
    case "drifted":
      return {
        message: t("{skill} differs from what this workspace reviewed. Invoke it anyway?", {
          skill,
        }),
        agree: t("Invoke Despite Review"),
      };
    default:
      return {
        message: t("{skill} could not be compared with its review. Invoke it unreviewed?", {
          skill,
        }),
        agree: t("Invoke Unreviewed"),
      };
  }
}

/** Says in a line what a skill may do. */
export function permissionsLine(
  { permissions }: Pick<Terms, "permissions">,
  language: Language,
): string {
  const { t } = language;
  if (permissions === undefined) {
    return t("Permissions: not provided by this registry. Assume full access.");
  }
  const granted = permissionSentences(permissions, language).filter(({ granted }) => granted);
  if (granted.length === 0) {
    return t("Permissions: compute only; no files, network, browser or secrets.");
  }
  const sentences = granted.map(({ sentence }) => sentence).join(". ");
  return t("Permissions: {sentences}.", { sentences });
}

function costLine(
  terms: Terms,
  { isBuiltIn, isTestRun }: ConsentTarget,
  language: Language,
): string {
  const { t } = language;
  if (isTestRun) return t("Costs: none, a test run is not billed. The skill really runs.");
  if (terms.isPriceUnanswered === true) {
    return t("Costs: unknown, the registry did not respond. It may be billed.");
  }
  const price = pricesText(terms, language);
  return price === ""
    ? t("Costs: not provided by the registry; it may be billed.")
    : isBuiltIn && isBilledAt(terms)
      ? t("Costs: {price} (sample; nothing is billed).", { price })
      : t("Costs: {price}.", { price });
}

function isBilledAt({ prices }: Terms): boolean {
  return prices.some(({ billingModel }) => billingModel !== "free");
}

function policyLines({ maxPermissionLevel: level }: ConsentTarget, language: Language): string[] {
  if (level === undefined) return [];
  const power = lowerFirst(levelName(level, language));
  return [
    language.t("Project policy (last known): at most {power}.", {
      power,
    }),
  ];
}

function targetLine({ origin, isBuiltIn, isTestRun }: ConsentTarget, { t }: Language): string {
  if (isBuiltIn) return t("Goes to: the built-in registry, on this machine.");
  return isTestRun
    ? t("Goes to: {origin}, as you are signed in there, without a Project Key.", { origin })
    : t("Goes to: {origin}, with your Project Key.", { origin });
}
