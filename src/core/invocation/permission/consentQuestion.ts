import { standingLines, type TeamStanding, teamStandingName } from "../../review/driftText";
import {
  levelName,
  type Permissions,
  permissionLevelOf,
  permissionSentences,
} from "../../skill/permissions";
import { isBilled, pricesText } from "../../skill/price";
import type { SkillDetail } from "../../skill/skill";
import { english, type Language } from "../../text/language";
import { lowerFirst, oneLine } from "../../text/plainText";
import { builtInRegistryName } from "../record/invocationRecord";
import type { InputMember, Terms } from "./terms";

/** The content of a consent dialog. `detail` has one fact a line; an empty line separates changes from the rest. */
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
  /** A warning that it may be billed without being executed; empty where that is not to be expected. */
  readonly warning: string;
  /** The project's maximum permission level, where an earlier response of the registry contained it. */
  readonly maxPermissionLevel?: string;
  /** The objections of the workspace's reviews; left out where there are none. */
  readonly objection?: TeamStanding | undefined;
}

/**
 * Returns whether an invocation needs consent: always at a remote registry; at the built-in one, for a skill
 * that costs, may do more than compute, or does not declare its permissions.
 */
export function needsConsent(skill: SkillDetail, isBuiltIn: boolean): boolean {
  return !isBuiltIn || isAtStake(skill);
}

/** Returns whether a skill, as far as is known, costs money or may do more than compute. */
export function isAtStake(skill: SkillDetail): boolean {
  const { permissions } = skill;
  const isLow = permissions !== undefined && permissionLevelOf(permissions) === "low";
  return isBilled(skill) || !isLow;
}

/**
 * Decides whether to ask before an invocation, and what; `before` are the terms last agreed to, where there
 * are any. Reviews of a workspace can only add a question: an objection is asked about every time, and a good
 * review removes no question.
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

/** Builds the question for consent to terms; `before` are the terms last agreed to, where there are any. */
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

/** A separate button, so that it is not pressed out of habit. */
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

/** Dialog lines are cut at 300 characters; four sentences of 120 leave room for the start of each. */
const maxSentenceLength = 120;

/**
 * Describes in a line what a skill may do. A sentence with long names is cut, so that it does not push out
 * the others.
 */
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
  const sentences = granted.map(({ sentence }) => oneLine(sentence, maxSentenceLength)).join(". ");
  return t("Permissions: {sentences}.", { sentences });
}

function costLine(
  terms: Terms,
  { isBuiltIn, isTestRun }: ConsentTarget,
  language: Language,
): string {
  const { t } = language;
  if (isTestRun) return t("Cost: none (test runs are not billed). The skill really runs.");
  if (terms.isPriceUnanswered === true) {
    return t("Cost: unknown, the registry did not respond. It may be billed.");
  }
  const price = pricesText(terms, language);
  return price === ""
    ? t("Cost: not provided by the registry; it may be billed.")
    : isBuiltIn && hasBilledPrice(terms)
      ? t("Cost: {price} (sample; nothing is billed).", { price })
      : t("Cost: {price}.", { price });
}

function hasBilledPrice({ prices }: Terms): boolean {
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
  if (isBuiltIn) return t("Sent to: the built-in registry, on this machine.");
  return isTestRun
    ? t("Sent to: {origin}, with your sign-in instead of a Project Key.", { origin })
    : t("Sent to: {origin}, with your Project Key.", { origin });
}

const maxLines = 8;

/** Describes in short lines how the terms `now` differ from those agreed to `before`. */
export function termsDifference(before: Terms, now: Terms, language: Language): readonly string[] {
  const { t } = language;
  const lines = [
    ...versionChanges(before, now, language),
    ...permissionChanges(before.permissions, now.permissions, language),
    ...runtimeChanges(before, now, language),
    ...priceChanges(before, now, language),
  ];
  const input = inputChanges(before.input, now.input, language);
  const hidden = before.digest !== now.digest && lines.length + input.length === 0;
  const all = [...lines, ...input, ...(hidden ? [t("Details of the input have changed.")] : [])];
  if (all.length <= maxLines) return all;
  const count = all.length - maxLines + 1;
  return [...all.slice(0, maxLines - 1), t("And {count} more changes.", { count })];
}

/**
 * Returns whether new terms need to be agreed to: another contract, or another price. A price that a
 * registry did not give this time is no change.
 */
export function termsChanged(before: Terms, now: Terms): boolean {
  return before.digest !== now.digest || priceChanges(before, now, english).length > 0;
}

function versionChanges(before: Terms, now: Terms, { t }: Language): string[] {
  if (before.version === now.version) return [];
  const none = t("(none)");
  return [
    t("Version {now} instead of {before}.", {
      now: now.version || none,
      before: before.version || none,
    }),
  ];
}

function permissionChanges(
  before: Permissions | undefined,
  now: Permissions | undefined,
  language: Language,
): string[] {
  const { t } = language;
  if (now === undefined) {
    return before === undefined ? [] : [t("The registry no longer provides its permissions.")];
  }
  const earlier = grantedSentences(before, language);
  const current = grantedSentences(now, language);
  return [
    ...current
      .filter((line) => !earlier.includes(line))
      .map((line) => t("New: {permission}.", { permission: lowerFirst(line) })),
    ...earlier
      .filter((line) => !current.includes(line))
      .map((line) => t("No longer: {permission}.", { permission: lowerFirst(line) })),
  ];
}

function grantedSentences(permissions: Permissions | undefined, language: Language): string[] {
  if (permissions === undefined) return [];
  return permissionSentences(permissions, language)
    .filter(({ granted }) => granted)
    .map(({ sentence }) => sentence);
}

function runtimeChanges(before: Terms, now: Terms, { t }: Language): string[] {
  if (before.runtime === now.runtime) return [];
  const notGiven = t("(not provided)");
  return [
    t("It runs as {now} instead of {before}.", {
      now: now.runtime ?? notGiven,
      before: before.runtime ?? notGiven,
    }),
  ];
}

function priceChanges(before: Terms, now: Terms, language: Language): string[] {
  const { t } = language;
  const isSample = now.registry === builtInRegistryName;
  const [earlier, current] = [before, now].map((terms) => pricesText(terms, language, isSample));
  if (earlier === current || !current) return [];
  return [
    t("New price: {now}. Before: {before}.", {
      now: current,
      before: earlier || t("not given"),
    }),
  ];
}

function inputChanges(
  before: readonly InputMember[],
  now: readonly InputMember[],
  language: Language,
): string[] {
  const earlier = new Map(before.map((member) => [member.name, member]));
  const current = new Set(now.map(({ name }) => name));
  const changes = now.map((member) => memberLine(earlier.get(member.name), member, language));
  const gone = before.filter(({ name }) => !current.has(name));
  return [
    ...changes.filter((line) => line !== undefined),
    ...gone.map(({ name }) => language.t("The input no longer has “{name}”.", { name })),
  ];
}

function memberLine(
  before: InputMember | undefined,
  { name, required, digest }: InputMember,
  { t }: Language,
): string | undefined {
  if (before === undefined) {
    return required
      ? t("The input has a new required property “{name}”.", { name })
      : t("The input has a new property “{name}”.", { name });
  }
  if (required && !before.required) {
    return t("The input's “{name}” is now required.", { name });
  }
  if (!required && before.required) {
    return t("The input's “{name}” is no longer required.", { name });
  }
  return before.digest === digest
    ? undefined
    : t("The input's “{name}” allows different values.", { name });
}
