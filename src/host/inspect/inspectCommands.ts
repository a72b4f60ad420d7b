import * as vscode from "vscode";
import { compareArgument } from "../../core/skill/comparison/compareArgument";
import { readSkillAddress } from "../../core/skill/skillAddress";
import type { RegistryConnection } from "../connect/registryConnection";
import { slugArgument } from "../discover/slugArgument";
import { slugArguments } from "../discover/slugArguments";
import type { CommandHandlers } from "../registerCommands";
import { chooseSkillsToCompare } from "./chooseSkillsToCompare";
import type { ComparisonPages } from "./comparisonPages";
import { openSkills } from "./openSkills";
import type { SkillPages } from "./skillPages";

/** What the commands that show skills work with. */
export interface InspectParts {
  readonly connection: RegistryConnection;
  readonly pages: SkillPages;
  readonly comparisons: ComparisonPages;
  /** Lets the user choose a skill. Undefined where they gave up. */
  readonly askWhich: (title: string) => Promise<string | undefined>;
  /** The Skills view, of which the selected rows are compared where nothing else is named. */
  readonly view: { readonly selection: readonly unknown[] };
}

/** Builds the commands that show one skill or several. */
export function inspectCommands({
  connection,
  pages,
  comparisons,
  askWhich,
  view,
}: InspectParts): Pick<CommandHandlers, "openSkill" | "compareSkills"> {
  return {
    openSkill: async (argument, option) => {
      const address = readSkillAddress(argument);
      if (address !== undefined) return pages.open(address.slug, option, address.version);
      const slugs = slugArguments(argument, option);
      if (slugs.length > 0) return openSkills(pages, slugs);
      const slug = await askWhich(vscode.l10n.t("Open Skill"));
      if (slug !== undefined) await pages.open(slug);
    },
    compareSkills: async (argument, option) => {
      const given = compareArgument(argument, option, view.selection, slugArgument);
      const slugs = given.enough
        ? given.slugs
        : await chooseSkillsToCompare(connection, given.slugs);
      if (slugs !== undefined) comparisons.open(slugs);
    },
  };
}
