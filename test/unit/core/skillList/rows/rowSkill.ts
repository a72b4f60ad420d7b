import type { SkillSummary } from "../../../../../src/core/skill/skill";

/** A skill whose row and tooltip are tested. */
export const skill: SkillSummary = {
  slug: "text-stats",
  displayName: "Text statistics",
  description: "Counts.",
  tags: ["text"],
  version: "1.0.0",
  verificationStatus: "verified",
  permissionLevel: "low",
  billingModel: "per_call",
  task: "content",
  publisher: { name: "Plainworks" },
  numbers: {},
};
