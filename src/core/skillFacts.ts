import type { SkillSummary } from "./skill";

/** Lists what a row shows beside a skill's name: version, publisher, verification state, permission level. */
export function skillFacts(skill: SkillSummary): readonly string[] {
  const level = skill.permissionLevel;
  return [
    skill.version,
    skill.publisher?.name,
    skill.verificationStatus,
    level === undefined ? undefined : `${level} permissions`,
  ].filter((fact): fact is string => fact !== undefined && fact !== "");
}

/** Says all a row shows in one sentence for a screen reader, the name first. */
export function skillSentence(skill: SkillSummary): string {
  return [skill.displayName, ...skillFacts(skill)].join(", ");
}
