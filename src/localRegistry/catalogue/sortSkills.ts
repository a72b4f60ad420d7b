import { summarizeFeedback } from "./feedbackSummary";
import { levelOf } from "./manifest";
import type { Skill } from "./skill";

/** The orders of the search route. */
export const skillOrders = ["recommended", "adoption", "success", "low_risk", "recent"] as const;

/** The name of an order. */
export type SkillOrder = (typeof skillOrders)[number];

/** Sorts skills, best first. Ties go by slug, so that pages never overlap. */
export function sortSkills(skills: readonly Skill[], order: SkillOrder): Skill[] {
  return skills
    .map((skill) => ({ skill, score: scores[order](skill) }))
    .sort((a, b) => b.score - a.score || (a.skill.slug < b.skill.slug ? -1 : 1))
    .map(({ skill }) => skill);
}

const stateRank = { verified: 2, deprecated: 1, submitted: 0 };
const levelRank = { low: 2, medium: 1, high: 0 };

const scores: Record<SkillOrder, (skill: Skill) => number> = {
  // The state outweighs the rest: a rating is at most 5, and the logarithm of installs stays below 7.
  recommended: (skill) =>
    stateRank[skill.verificationStatus] * 100 +
    (summarizeFeedback(skill.feedback).averageRating ?? 0) *
      Math.log10(1 + skill.numbers.installCount),
  adoption: ({ numbers }) => numbers.installCount,
  success: ({ numbers }) => numbers.successRate ?? -1,
  low_risk: ({ releases }) => levelRank[levelOf(releases[0])],
  recent: ({ releases }) => Date.parse(releases[0].publishedAt),
};
