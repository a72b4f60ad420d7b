import { csvProfile } from "../skills/csvProfile";
import { textStats } from "../skills/textStats";
import { type Publisher, publishers } from "./publishers";
import type { Release, Skill } from "./skill";

/** Every skill of the embedded registry. */
export const catalogue: readonly Skill[] = [textStats, csvProfile];

/** Finds a skill by its slug. */
export function findSkill(slug: string): Skill | undefined {
  return catalogue.find((skill) => skill.slug === slug);
}

/** Finds a version of a skill; an empty version means the current one. */
export function findRelease(skill: Skill, version: string): Release | undefined {
  if (version === "") return skill.releases[0];
  return skill.releases.find((release) => release.version === version);
}

/** Finds who publishes a skill. Every skill's publisher is listed, or this is a bug. */
export function publisherOf(skill: Skill): Publisher {
  const found = publishers.find(({ slug }) => slug === skill.publisher);
  if (found === undefined) throw new Error(`${skill.slug} has no listed publisher`);
  return found;
}
