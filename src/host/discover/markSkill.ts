import * as vscode from "vscode";
import { isSlug } from "../../core/skill/slug";
import type { MarkedSkill, SkillMark } from "../../core/skillList/row/skillMarks";
import { labelText } from "../../core/text/plainText";
import { commandIds } from "../ids";
import type { LoadedCatalog } from "./catalogState";
import type { SkillCatalog } from "./skillCatalog";
import type { SkillMarking } from "./skillMarking";

/** What marking a skill needs. */
export interface MarkSkillParts {
  readonly catalog: SkillCatalog;
  readonly marking: SkillMarking;
  /** Lets the user choose a skill; undefined where they gave up. */
  readonly askWhich: (title: string) => Promise<string | undefined>;
}

/** Sets a mark on the skills a command was run on, or on one the user chooses. */
export async function setMark(
  { catalog, marking, askWhich }: MarkSkillParts,
  mark: SkillMark,
  slugs: readonly string[],
): Promise<void> {
  const title = mark === "hidden" ? vscode.l10n.t("Hide Skill") : vscode.l10n.t("Add to Favorites");
  const chosen = slugs.length > 0 ? undefined : await askWhich(title);
  const listed = (chosen === undefined ? slugs : [chosen]).filter(isSlug);
  if (listed.length === 0) return;
  const loaded = await loadedList(catalog);
  if (loaded === undefined) return;
  const names = new Map(loaded.list.skills.map(({ slug, displayName }) => [slug, displayName]));
  const named = listed.map((slug) => ({ slug, name: names.get(slug) ?? slug }));
  await marking.set(loaded.registry, mark, named, true);
}

/** Takes a mark from the skills a command was run on, or from one of the marked that the user chooses. */
export async function takeMark(
  { catalog, marking }: MarkSkillParts,
  mark: SkillMark,
  slugs: readonly string[],
): Promise<void> {
  const loaded = await loadedList(catalog);
  if (loaded === undefined) return;
  const marked = marking.marks(loaded.registry)[mark];
  const chosen = slugs.length > 0 ? undefined : await chooseMarked(mark, marked);
  const meant = new Set(slugs);
  const skills = chosen === undefined ? marked.filter(({ slug }) => meant.has(slug)) : [chosen];
  await marking.set(loaded.registry, mark, skills, false);
}

/** What is marked belongs to the registry that is listed; where none is, that is said. */
async function loadedList(catalog: SkillCatalog): Promise<LoadedCatalog | undefined> {
  await catalog.ready();
  if (catalog.state.kind === "list") return catalog.state;
  void vscode.window
    .showInformationMessage(
      vscode.l10n.t("The registry's list is not loaded, so nothing was marked. Refresh it first."),
      vscode.l10n.t("Refresh"),
    )
    .then((pressed) => pressed && vscode.commands.executeCommand(commandIds.refresh));
  return undefined;
}

async function chooseMarked(
  mark: SkillMark,
  marked: readonly MarkedSkill[],
): Promise<MarkedSkill | undefined> {
  if (marked.length === 0) {
    void vscode.window.showInformationMessage(
      mark === "hidden"
        ? vscode.l10n.t("No skill of this registry is hidden.")
        : vscode.l10n.t("No skill of this registry is a favorite."),
    );
    return undefined;
  }
  const items = marked.map((skill) => ({
    label: labelText(skill.name, 80),
    description: skill.slug,
    skill,
  }));
  const title =
    mark === "hidden" ? vscode.l10n.t("Unhide Skill") : vscode.l10n.t("Remove from Favorites");
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.skill;
}
