import * as vscode from "vscode";
import { compareArgument } from "../../core/skill/compare/compareArgument";
import { readSkillAddress, readSkillLink } from "../../core/skill/slug";
import type { RegistryConnection } from "../connect/registryConnection";
import { slugArgument, slugArguments } from "../discover/slugArguments";
import type { CommandHandlers } from "../registerCommands";
import { chooseSkillsToCompare } from "./chooseSkillsToCompare";
import type { ComparisonPages } from "./comparisonPages";
import type { SkillPages } from "./skillPages";

/** What the commands that show skills work with. */
export interface InspectParts {
  readonly connection: RegistryConnection;
  readonly pages: SkillPages;
  readonly comparisons: ComparisonPages;
  /** Lets the user choose a skill. Undefined where they gave up. */
  readonly pickSkill: (title: string) => Promise<string | undefined>;
  /** The Skills view, of which the selected rows are compared where nothing else is named. */
  readonly view: { readonly selection: readonly unknown[] };
}

/** Builds the commands that show one skill or several. */
export function inspectCommands({
  connection,
  pages,
  comparisons,
  pickSkill,
  view,
}: InspectParts): Pick<CommandHandlers, "openSkill" | "compareSkills"> {
  return {
    openSkill: async (argument, option) => {
      const address = readSkillAddress(argument);
      if (address !== undefined) return pages.open(address.slug, option, address.version);
      const slugs = slugArguments(argument, option);
      if (slugs.length > 0) return openSkills(pages, slugs);
      const slug = await pickSkill(vscode.l10n.t("Open Skill"));
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

/** Selecting a whole list takes one key; more pages than that at once are more likely a slip. */
const maxUnasked = 10;

/** Opens the page of each skill, the last one in front; asks first where there are more than ten. */
async function openSkills(pages: SkillPages, slugs: readonly string[]): Promise<void> {
  if (slugs.length > maxUnasked && !(await isMeant(slugs.length))) return;
  for (const slug of slugs) await pages.open(slug);
}

async function isMeant(count: number): Promise<boolean> {
  const open = vscode.l10n.t("Open Pages");
  const question = vscode.l10n.t("Open the pages of {0} skills?", count);
  return (await vscode.window.showWarningMessage(question, { modal: true }, open)) === open;
}

/** Opens the page that a link into the editor names; a link can do nothing else. Other links are told to name no skill. */
export async function openSkillLink(pages: SkillPages, path: string): Promise<void> {
  const address = readSkillLink(path);
  if (address !== undefined) return pages.open(address.slug, undefined, address.version);
  void vscode.window.showWarningMessage(
    vscode.l10n.t("Invalid skill link. Expected …/skill/<name>."),
  );
}
