import type { Translate } from "../core/text/language";

/** A command with a button on a skill's page. It runs with the slug of the shown skill, unless it is not about one. */
export interface PageCommand {
  /** What its button says. */
  readonly label: (t: Translate) => string;
  /**
   * The icon of its button above the tabs, where buttons stand in the order of the table. Without it, a part of the
   * page places the button.
   */
  readonly headIcon?: "terminal" | "compare";
  /** It is not about a skill, so that it runs without a slug. */
  readonly isOfRegistry?: true;
}

/** The commands of a skill's page, by the name the code uses. */
export const pageCommands = {
  copyAs: {
    label: (t) => t("Copy As…"),
    headIcon: "terminal",
  },
  compareSkills: {
    label: (t) => t("Compare with…"),
    headIcon: "compare",
  },
  reviewSkill: { label: (t) => t("Review This Skill…") },
  connect: {
    label: (t) => t("Connect to Registry…"),
    isOfRegistry: true,
  },
  connectToReviewed: {
    label: (t) => t("Connect to Registry…"),
  },
  setProjectKey: { label: (t) => t("Set Project Key…") },
  checkProjectKey: { label: (t) => t("Check Now") },
  allowAgents: { label: (t) => t("Allow Agents to Invoke…") },
} as const satisfies Readonly<Record<string, PageCommand>>;

/** The name of a command of a skill's page in the code. */
export type PageCommandName = keyof typeof pageCommands;

/** Those names, in the order of the table. */
export const pageCommandNames = Object.keys(pageCommands) as readonly PageCommandName[];
