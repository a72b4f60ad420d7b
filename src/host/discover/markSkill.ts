import * as vscode from "vscode";
import { isListedSlug } from "../../core/skill/listedSlug";
import type { MarkedSkill, SkillMark } from "../../core/skill/skillMarks";
import { labelText } from "../../core/text/plainText";
import type { SkillCatalog } from "./skillCatalog";
import type { SkillMarking } from "./skillMarking";
import { slugArgument } from "./slugArgument";

/** What marking a skill needs. */
export interface MarkSkillParts {
  readonly catalog: SkillCatalog;
  readonly marking: SkillMarking;
  /** Lets the user choose a skill; undefined where they gave up. */
  readonly askWhich: (title: string) => Promise<string | undefined>;
}

/** Sets a mark on the skill a command was run on, or on one the user chooses. */
export async function setMark(
  { catalog, marking, askWhich }: MarkSkillParts,
  mark: SkillMark,
  argument: unknown,
): Promise<void> {
  const title =
    mark === "hidden" ? vscode.l10n.t("Hide Skill") : vscode.l10n.t("Add to Favourites");
  const slug = slugArgument(argument) ?? (await askWhich(title));
  if (slug === undefined || !isListedSlug(slug) || catalog.state.kind !== "list") return;
  const { registry, list } = catalog.state;
  const name = list.skills.find((skill) => skill.slug === slug)?.displayName ?? slug;
  await marking.set(registry, mark, { slug, name }, true);
}

/** Takes a mark from the skill a command was run on, or from one of the marked that the user chooses. */
export async function takeMark(
  { catalog, marking }: MarkSkillParts,
  mark: SkillMark,
  argument: unknown,
): Promise<void> {
  if (catalog.state.kind !== "list") return;
  const { registry } = catalog.state;
  const marked = marking.marks(registry)[mark];
  const slug = slugArgument(argument);
  const skill =
    slug === undefined
      ? await chooseMarked(mark, marked)
      : marked.find((candidate) => candidate.slug === slug);
  if (skill !== undefined) await marking.set(registry, mark, skill, false);
}

async function chooseMarked(
  mark: SkillMark,
  marked: readonly MarkedSkill[],
): Promise<MarkedSkill | undefined> {
  if (marked.length === 0) {
    void vscode.window.showInformationMessage(
      mark === "hidden"
        ? vscode.l10n.t("No skill of this registry is hidden.")
        : vscode.l10n.t("No skill of this registry is a favourite."),
    );
    return undefined;
  }
  const items = marked.map((skill) => ({
    label: labelText(skill.name, 80),
    description: skill.slug,
    skill,
  }));
  const title =
    mark === "hidden" ? vscode.l10n.t("Unhide Skill") : vscode.l10n.t("Remove from Favourites");
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.skill;
}
