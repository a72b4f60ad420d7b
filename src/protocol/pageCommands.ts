import type { Translate } from "../core/text/language";

/** A command with a button on a skill's page. It runs with the slug of the shown skill unless `isOfRegistry` is set. */
export interface PageCommand {
  readonly label: (t: Translate) => string;
  /**
   * The icon of its button above the tabs, in the order of this table. Without an icon, the button is elsewhere on the
   * page.
   */
  readonly headIcon?: "terminal" | "compare";
  /** Set for a command that runs without a slug, because it does not concern the skill. */
  readonly isOfRegistry?: true;
}

/** The commands of a skill's page by their names in the code. */
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
  installSkill: { label: (t) => t("Install…") },
  checkProjectKey: { label: (t) => t("Check Now") },
  allowAgents: { label: (t) => t("Allow Agents to Invoke…") },
} as const satisfies Readonly<Record<string, PageCommand>>;

/** The name of a page command in the code. */
export type PageCommandName = keyof typeof pageCommands;

/** The names of all page commands, in the order of the table. */
export const pageCommandNames = Object.keys(pageCommands) as readonly PageCommandName[];
