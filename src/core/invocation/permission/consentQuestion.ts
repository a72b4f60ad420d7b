import { standingLines } from "../../review/driftText";
import { type TeamStanding, teamStandingName } from "../../review/standing";
import { difference } from "../../skill/difference";
import { changeLines, versionLines } from "../../skill/differenceText";
import { isSameVersion } from "../../skill/isNewerVersion";
import {
  assumedLevel,
  levelName,
  type Permissions,
  permissionSentences,
} from "../../skill/permissions";
import { isBilled, isPriceUnanswered, pricesText } from "../../skill/price";
import type { SkillDetail } from "../../skill/skill";
import { addressText } from "../../skill/skillAddress";
import type { Language } from "../../text/language";
import type { DialogQuestion } from "../../text/notice";
import { lowerFirst, oneLine } from "../../text/plainText";
import { isOtherProject, type Terms, termsChanges } from "./terms";

/** The destination of an invocation, for the dialog. */
export interface ConsentTarget {
  readonly origin: string;
  readonly isBuiltIn: boolean;
  /** Whether it is a test run, which needs no Project Key and is not billed. */
  readonly isTestRun: boolean;
  /** A warning that it may be billed without being executed; empty if nothing suggests that. */
  readonly warning: string;
  /** The project's maximum permission level, if an earlier response contained it. */
  readonly maxPermissionLevel?: string;
  /** The name of the Project Key's project, with its organization; left out if unknown. */
  readonly keyProject?: string;
  /** Whether there is a Project Key to send with the payload. Without one, a later question asks for it. */
  readonly hasKey?: boolean;
  /** The name of the environment whose values are sent; left out for none. */
  readonly environment?: string | undefined;
  /** The objections of the workspace's reviews; left out for none. */
  readonly objection?: TeamStanding | undefined;
}

/**
 * Returns whether an invocation needs consent. At a remote registry it always does. At the built-in one, it does for a
 * skill that costs, may do more than compute, or does not declare its permissions.
 */
export function needsConsent(skill: SkillDetail, isBuiltIn: boolean): boolean {
  return !isBuiltIn || isAtStake(skill);
}

/** Returns whether a skill costs money or may do more than compute, by the known facts. */
export function isAtStake(skill: SkillDetail): boolean {
  return isBilled(skill) || assumedLevel(skill) !== "low";
}

/**
 * Builds the question before an invocation; undefined if none is needed. `before` are the terms of the last agreement,
 * if any. Reviews of a workspace can only add a question: an objection is asked about every time, and a review without
 * objections does not replace consent.
 */
export function neededQuestion(
  skill: SkillDetail,
  terms: { readonly now: Terms; readonly before: Terms | undefined },
  target: ConsentTarget,
  language: Language,
): DialogQuestion | undefined {
  const { now, before } = terms;
  const isAgreed =
    isSameVersion(before?.version, now.version) &&
    before !== undefined &&
    termsChanges(before, now).length === 0 &&
    !isOtherProject(before, now) &&
    !isPriceUnanswered(now);
  const isMissing = !isAgreed && needsConsent(skill, target.isBuiltIn);
  return isMissing || target.objection !== undefined
    ? consentQuestion(now, before, target, language)
    : undefined;
}

/** Builds the question for consent to terms. `before` are the terms of the last agreement, if any. */
export function consentQuestion(
  now: Terms,
  before: Terms | undefined,
  target: ConsentTarget,
  language: Language,
): DialogQuestion {
  const { t } = language;
  const skill = addressText(now.skillSlug, now.version);
  const facts = [
    permissionsLine(now, language),
    priceLine(now, target, language),
    ...(target.warning === "" ? [] : [target.warning]),
    ...policyLines(target, language),
    targetLine(target, language),
  ];
  const hasChanged = before !== undefined && termsChanges(before, now).length > 0;
  const changes = before === undefined ? [] : termsDifference(before, now, language);
  const detail = changes.length > 0 ? [...changes, "", ...facts] : facts;
  const { objection } = target;
  if (objection !== undefined) {
    const { message, agree } = objectionTexts(objection, skill, language);
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

/** Returns the texts for an objection. Its button has its own label, so that nobody presses it out of habit. */
function objectionTexts(objection: TeamStanding, skill: string, { t }: Language) {
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

/**
 * The maximum length of a sentence. Dialogs truncate lines after 300 characters; with 120, the start of each sentence
 * stays visible.
 */
const maxSentenceLength = 120;

/**
 * Describes a skill's permissions on one line. Truncates sentences with long names, so that they do not push out the
 * others.
 */
export function permissionsLine(
  { permissions }: { readonly permissions?: Permissions | null },
  language: Language,
): string {
  const { t } = language;
  if (permissions === undefined || permissions === null) {
    return t("Permissions: not provided by this registry. Assume full access.");
  }
  const granted = permissionSentences(permissions, language).filter(({ granted }) => granted);
  if (granted.length === 0) {
    return t("Permissions: compute only; no files, network, browser or secrets.");
  }
  const sentences = granted.map(({ sentence }) => oneLine(sentence, maxSentenceLength)).join(". ");
  return t("Permissions: {sentences}.", { sentences });
}

function priceLine(
  terms: Terms,
  { isBuiltIn, isTestRun }: ConsentTarget,
  language: Language,
): string {
  const { t } = language;
  if (isTestRun) return t("Price: none (test runs are not billed). The skill really runs.");
  if (isPriceUnanswered(terms)) {
    return t("Price: unknown, the registry did not respond. It may be billed.");
  }
  const price = pricesText(terms.prices, language);
  return price === ""
    ? t("Price: not provided by the registry; it may be billed.")
    : isBuiltIn && hasBilledPrice(terms)
      ? t("Price: {price} (sample; nothing is billed).", { price })
      : t("Price: {price}.", { price });
}

function hasBilledPrice({ prices }: Terms): boolean {
  return prices.some(({ billingModel }) => billingModel !== "free");
}

function policyLines({ maxPermissionLevel: level }: ConsentTarget, language: Language): string[] {
  if (level === undefined) return [];
  const name = lowerFirst(levelName(level, language));
  return [
    language.t("Project policy (last known): at most {power}.", {
      power: name,
    }),
  ];
}

/** Returns the line about a payload's destination, and about the Project Key if there is one. */
export function targetLine(
  target: Pick<ConsentTarget, "origin" | "isBuiltIn" | "isTestRun" | "environment"> &
    Partial<ConsentTarget>,
  { t }: Language,
): string {
  const { origin, isBuiltIn, isTestRun, keyProject, hasKey, environment } = target;
  const named = environment === undefined ? origin : `${environment}, ${origin}`;
  if (isBuiltIn && environment !== undefined) {
    return t("Sent to: {environment}, the built-in registry on this machine.", { environment });
  }
  if (isBuiltIn) return t("Sent to: the built-in registry, on this machine.");
  if (isTestRun)
    return t("Sent to: {origin}, with your sign-in instead of a Project Key.", { origin: named });
  if (keyProject === undefined) return remoteText(named, hasKey === true, t);
  const project = oneLine(keyProject, maxSentenceLength);
  return t("Sent to: {origin}, with the Project Key of {project}.", { origin: named, project });
}

/** Returns the line about a payload's destination, which names the Project Key only if there is one. */
export function remoteText(origin: string, hasKey: boolean, t: Language["t"]): string {
  return hasKey
    ? t("Sent to: {origin}, with your Project Key.", { origin })
    : t("Sent to: {origin}.", { origin });
}

/** The maximum number of lines. Editors truncate taller dialogs and put buttons below the screen. */
const maxLines = 8;

/**
 * Lists in short lines how the terms `now` differ from `before`, and which parts cannot be compared. Another version
 * alone is no difference.
 */
export function termsDifference(before: Terms, now: Terms, language: Language): readonly string[] {
  const lines = changeLines(difference(before, now), { before, after: now }, language);
  if (lines.length === 0) return [];
  const all = [...versionLines(before.version, now.version, language), ...lines];
  if (all.length <= maxLines) return all;
  const count = all.length - maxLines + 1;
  return [...all.slice(0, maxLines - 1), language.t("And {count} more changes.", { count })];
}
