/** The commands that a button of a skill's page runs, with the skill that it shows: by the name the code uses, their ID. */
export const pageCommandIds = {
  allowAgents: "skillRegistry.allowAgents",
  checkProjectKey: "skillRegistry.checkProjectKey",
  copyAs: "skillRegistry.copyAs",
  reviewSkill: "skillRegistry.reviewSkill",
  setProjectKey: "skillRegistry.setProjectKey",
} as const;
