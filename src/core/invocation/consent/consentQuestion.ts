import { permissionLevelOf } from "../../skill/permissions";
import type { SkillDetail } from "../../skill/skill";
import { permissionSentences } from "../../skill/trust/permissionSentences";
import { levelWord } from "../../skill/trust/powerWords";
import type { Language } from "../../text/language";
import { lowerFirst } from "../../text/lowerFirst";
import { isBilled } from "../limits/callPrice";
import { pricesInWords, type Terms } from "./terms";
import { termsDifference } from "./termsDifference";

/** What a consent dialog shows. `detail` has one fact a line; an empty line stands between what has changed and the rest. */
export interface ConsentQuestion {
  readonly message: string;
  readonly detail: readonly string[];
  readonly agree: string;
}

/** Where a call goes, in the words of the dialog. */
export interface CallTarget {
  readonly origin: string;
  readonly isBuiltIn: boolean;
  /** What the project allows at most, where an earlier answer of the registry said so. */
  readonly maxPermissionLevel?: string;
}

/**
 * Tells whether a call needs consent: where something is at stake. That is every call to a registry
 * elsewhere; at the built-in one, a skill that costs, may do more than compute, or does not say.
 */
export function needsConsent(skill: SkillDetail, isBuiltIn: boolean): boolean {
  if (!isBuiltIn || isBilled(skill)) return true;
  const { permissions } = skill;
  return permissions === undefined || permissionLevelOf(permissions) !== "low";
}

/** Asks for consent to terms; `before` are the terms last agreed to, where there are any. */
export function consentQuestion(
  now: Terms,
  before: Terms | undefined,
  target: CallTarget,
  language: Language,
): ConsentQuestion {
  const { translate } = language;
  const skill = now.version === "" ? now.skillSlug : `${now.skillSlug}@${now.version}`;
  const facts = [
    mayLine(now, language),
    costLine(now, language),
    ...policyLines(target, language),
    targetLine(target, language),
  ];
  const agree = translate("Call Skill");
  if (before === undefined) {
    return { message: translate("Call {skill}?", { skill }), detail: facts, agree };
  }
  return {
    message: translate("{skill} has changed since you agreed to it. Call it?", { skill }),
    detail: [...termsDifference(before, now, language), "", ...facts],
    agree,
  };
}

function mayLine({ permissions }: Terms, language: Language): string {
  const { translate } = language;
  if (permissions === undefined) {
    return translate("May: not given by the registry. Treat it as everything.");
  }
  const granted = permissionSentences(permissions, language).filter(({ granted }) => granted);
  if (granted.length === 0) {
    return translate("May: compute only; no files, network, browser or secrets.");
  }
  const sentences = granted.map(({ sentence }) => sentence).join(". ");
  return translate("May: {sentences}.", { sentences });
}

function costLine(terms: Terms, language: Language): string {
  const { translate } = language;
  const price = pricesInWords(terms, language);
  return price === ""
    ? translate("Costs: not given by the registry; it may be billed.")
    : translate("Costs: {price}.", { price });
}

function policyLines({ maxPermissionLevel: level }: CallTarget, language: Language): string[] {
  if (level === undefined) return [];
  const power = lowerFirst(levelWord(level, language));
  return [
    language.translate("Policy: the project allows at most {power}, as the registry last said.", {
      power,
    }),
  ];
}

function targetLine({ origin, isBuiltIn }: CallTarget, { translate }: Language): string {
  return isBuiltIn
    ? translate("Goes to: the built-in registry, on this machine.")
    : translate("Goes to: {origin}, with your Project Key.", { origin });
}
