import { publisherOf } from "./catalogue";
import { summarizeFeedback } from "./feedbackSummary";
import { levelOf } from "./manifest";
import type { Skill } from "./skill";

/** Builds the row of a skill as it stands in lists. */
export function skillRow(skill: Skill) {
  const [current] = skill.releases;
  const { averageRating, publishedCount } = summarizeFeedback(skill.feedback);
  const { slug, displayName } = publisherOf(skill);
  return {
    id: `skill_${skill.slug}`,
    slug: skill.slug,
    displayName: skill.displayName,
    description: skill.description,
    tags: skill.tags,
    category: skill.category,
    version: current.version,
    publisher: { slug, name: displayName },
    verificationStatus: skill.verificationStatus,
    permissionLevel: levelOf(current),
    runtimeType: current.runtime.type,
    billingModel: skill.price.billingModel,
    ...skill.numbers,
    averageRating,
    feedbackCount: publishedCount,
    updatedAt: current.publishedAt,
  };
}
