import { asStated } from "../../skill/permissions";
import type { SkillSummary } from "../../skill/skill";
import { type SkillFilterName, type SkillFilters, skillFilterNames } from "../skillQuery";

/**
 * Tells whether a skill passes the filters. A filter on something the row does not say lets it pass,
 * since the registry applied it; not so for the publisher, which no registry filters by.
 */
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
    skills.some((skill) => !passes(asStated(skill), name, filters[name] ?? [])),
  );
}

/**
 * Finds the filters that nobody can check: some of the skills do not say what they go by, so that
 * the registry may have applied them or not.
 */
export function uncheckedFilters(
  skills: readonly SkillSummary[],
  filters: SkillFilters,
): readonly SkillFilterName[] {
  return skillFilterNames.filter(
    (name) =>
      (filters[name]?.length ?? 0) > 0 &&
      skills.some((skill) => filterAttributes(skill, name) === undefined),
  );
}

function passes(skill: SkillSummary, name: SkillFilterName, wanted: readonly string[]): boolean {
  if (wanted.length === 0) return true;
  const values = filterAttributes(skill, name)?.map((value) => value.toLowerCase());
  if (values === undefined) return name !== "publisher";
  const has = (candidate: string) => values.includes(candidate.toLowerCase());
  return name === "tags" ? wanted.every(has) : wanted.some(has);
}

/** Lists what a skill is under a filter; undefined where its row does not say. */
export function filterAttributes(
  skill: SkillSummary,
  name: SkillFilterName,
): readonly string[] | undefined {
  if (name === "tags") return skill.tags;
  if (name === "publisher") return publisherNames(skill);
  const value = attribute(skill, name);
  return value === undefined ? undefined : [value];
}

function publisherNames({ publisher }: SkillSummary): readonly string[] | undefined {
  if (publisher === undefined) return undefined;
  return publisher.slug === undefined ? [publisher.name] : [publisher.name, publisher.slug];
}

function attribute(
  skill: SkillSummary,
  name: Exclude<SkillFilterName, "tags" | "publisher">,
): string | undefined {
  switch (name) {
    case "task":
      return skill.task;
    case "runtime":
      return skill.runtimeType;
    case "verification":
      return skill.verificationStatus;
    case "permissionProfile":
      return skill.permissionLevel;
    case "billingModel":
      return skill.billingModel;
  }
}
