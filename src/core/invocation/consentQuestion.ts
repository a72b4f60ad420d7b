import { permissionSentences } from "../skill/permissionSentences";
import { permissionLevelOf } from "../skill/permissions";
import type { SkillDetail } from "../skill/skill";
import { isBilled } from "./callPrice";
import type { Terms } from "./terms";
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
): ConsentQuestion {
  const skill = now.version === "" ? now.skillSlug : `${now.skillSlug}@${now.version}`;
  const facts = [mayLine(now), costLine(now), ...policyLines(target), targetLine(target)];
  if (before === undefined) {
    return { message: `Call ${skill}?`, detail: facts, agree: "Call Skill" };
  }
  return {
    message: `${skill} has changed since you agreed to it. Call it?`,
    detail: [...termsDifference(before, now), "", ...facts],
    agree: "Call Skill",
  };
}

function mayLine({ permissions }: Terms): string {
  if (permissions === undefined) return "May: not given by the registry. Treat it as everything.";
  const granted = permissionSentences(permissions).filter((sentence) => sentence.granted);
  if (granted.length === 0) return "May: compute only; no files, network, browser or secrets.";
  return `May: ${granted.map(({ sentence }) => sentence).join(". ")}.`;
}

function costLine({ price }: Terms): string {
  return `Costs: ${price === "" ? "not given by the registry; it may be billed" : price}.`;
}

function policyLines({ maxPermissionLevel }: CallTarget): string[] {
  if (maxPermissionLevel === undefined) return [];
  return [
    `Policy: the project allows at most ${maxPermissionLevel} power, as the registry last said.`,
  ];
}

function targetLine({ origin, isBuiltIn }: CallTarget): string {
  return isBuiltIn
    ? "Goes to: the built-in registry, on this machine."
    : `Goes to: ${origin}, with your Project Key.`;
}
