import * as vscode from "vscode";
import { compareArgument } from "../../core/skill/compare/compareSkills";
import { readSkillAddress, readSkillLink } from "../../core/skill/skillAddress";
import type { SkillSource } from "../discover/pickSkill";
import { type CommandHandlers, slugArgument, slugArguments } from "../registerCommands";
import { confirm, warn } from "../ui/messages";
import { chooseSkillsToCompare } from "./chooseSkillsToCompare";
import type { ComparisonPages } from "./comparisonPages";
import type { SkillPages } from "./skillPages";

/** The dependencies of the commands that show skills. */
interface InspectParts {
  readonly source: SkillSource;
  readonly pages: SkillPages;
  readonly comparisons: ComparisonPages;
  /** Lets the user choose a skill. Undefined where they canceled. */
  readonly pickSkill: (title: string) => Promise<string | undefined>;
  /** The Skills view, whose selected rows are compared where no skill is named. */
  readonly view: { readonly selection: readonly unknown[] };
}

/** Builds the commands that show one skill or several. */
export function inspectCommands({
  source,
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
      const slugs = given.enough ? given.slugs : await chooseSkillsToCompare(source, given.slugs);
      if (slugs !== undefined) comparisons.open(slugs);
    },
  };
}

/** Selecting a whole list takes one key; opening more pages than this is more likely a mistake. */
const maxUnasked = 10;

/** Opens the page of each skill, the last one in front; asks first where there are more than ten. */
async function openSkills(pages: SkillPages, slugs: readonly string[]): Promise<void> {
  if (slugs.length > maxUnasked && !(await isMeant(slugs.length))) return;
  for (const slug of slugs) await pages.open(slug);
}

function isMeant(count: number): Promise<boolean> {
  const message = vscode.l10n.t("Open the pages of {0} skills?", count);
  return confirm({ message, agree: vscode.l10n.t("Open Pages") });
}

/**
 * Opens the page of the skill in a link into the editor; a link can do nothing else. Other links are reported
 * as invalid.
 */
export async function openSkillLink(pages: SkillPages, path: string): Promise<void> {
  const address = readSkillLink(path);
  if (address !== undefined) return pages.open(address.slug, undefined, address.version);
  void warn(vscode.l10n.t("Invalid skill link. Expected …/skill/<name>."));
}
