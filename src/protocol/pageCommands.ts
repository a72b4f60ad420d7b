import type { Translate } from "../core/text/language";

/** A command that a skill's page has a button for; it runs with the slug of the skill that is shown, if it is about one. */
export interface PageCommand {
  readonly id: string;
  /** What its button says. */
  readonly label: (t: Translate) => string;
  /** Given where the button stands among those above the tabs, in the order of the table: the name of its icon. Otherwise a part of the page places it. */
  readonly headIcon?: "terminal" | "compare";
  /** It is not about a skill, so that it runs without a slug. */
  readonly isOfRegistry?: true;
}

/** The commands of a skill's page, by the name the code uses. */
export const pageCommands = {
  copyAs: {
    id: "skillRegistry.copyAs",
    label: (t) => t("Copy As…"),
    headIcon: "terminal",
  },
  compareSkills: {
    id: "skillRegistry.compareSkills",
    label: (t) => t("Compare with…"),
    headIcon: "compare",
  },
  reviewSkill: { id: "skillRegistry.reviewSkill", label: (t) => t("Review This Skill…") },
  connect: {
    id: "skillRegistry.connect",
    label: (t) => t("Connect to Registry…"),
    isOfRegistry: true,
  },
  setProjectKey: { id: "skillRegistry.setProjectKey", label: (t) => t("Set Project Key…") },
  checkProjectKey: { id: "skillRegistry.checkProjectKey", label: (t) => t("Check Now") },
  allowAgents: { id: "skillRegistry.allowAgents", label: (t) => t("Allow Agents to Invoke…") },
} as const satisfies Readonly<Record<string, PageCommand>>;

/** The name of a command of a skill's page in the code. */
export type PageCommandName = keyof typeof pageCommands;

/** Those names, in the order of the table. */
export const pageCommandNames = Object.keys(pageCommands) as readonly PageCommandName[];
