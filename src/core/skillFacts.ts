import type { SkillSummary } from "./skill";

/**
 * Lists what a row shows beside a skill's name: version, permission level, verification state,
 * publisher. What decides comes first, since narrow rows are cut at the end.
 */
export function skillFacts(skill: SkillSummary): readonly string[] {
  return [
    skill.version,
    skill.permissionLevel === undefined ? undefined : `${skill.permissionLevel} power`,
    skill.verificationStatus,
    skill.publisher?.name,
  ].filter((fact): fact is string => fact !== undefined && fact !== "");
}

/** Says all a row shows in one sentence for a screen reader, the name first. */
export function skillSentence(skill: SkillSummary): string {
  return [skill.displayName, ...skillFacts(skill)].join(", ");
}
