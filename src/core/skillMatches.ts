import type { SkillSummary } from "./skill";
import { type SkillFilterName, type SkillFilters, skillFilterNames } from "./skillQuery";

/** Tells whether a skill passes the filters. A filter on something the row does not say lets it pass. */
export function skillMatches(skill: SkillSummary, filters: SkillFilters): boolean {
  return skillFilterNames.every((name) => passes(skill, name, filters[name] ?? []));
}

/**
 * Finds the filters a registry ignored: those that some skill of its answer does not pass.
 * Registries skip what they do not know without a word.
 */
export function ignoredFilters(
  skills: readonly SkillSummary[],
  filters: SkillFilters,
): readonly SkillFilterName[] {
  return skillFilterNames.filter((name) =>
    skills.some((skill) => !passes(skill, name, filters[name] ?? [])),
  );
}

function passes(skill: SkillSummary, name: SkillFilterName, wanted: readonly string[]): boolean {
  const value = attribute(skill, name)?.toLowerCase();
  return (
    wanted.length === 0 ||
    value === undefined ||
    wanted.some((candidate) => candidate.toLowerCase() === value)
  );
}

function attribute(skill: SkillSummary, name: SkillFilterName): string | undefined {
  switch (name) {
    case "task":
      return skill.task;
    case "runtime":
      return skill.runtimeType;
    case "verification":
      return skill.verificationStatus;
    case "permissionProfile":
      return skill.permissionLevel;
  }
}
