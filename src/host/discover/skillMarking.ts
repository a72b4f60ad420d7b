import * as vscode from "vscode";
import type { LoadedCatalog } from "../../core/skillList/catalogState";
import type { MarkedSkill, SkillMark, SkillMarks } from "../../core/skillList/skillMarks";
import { commandIds } from "../ids";
import { offer, showStatus } from "../ui/messages";
import { Owner } from "../ui/owner";
import { choose } from "../ui/quickInput/choose";
import type { ListMemory } from "./listMemory";
import type { SkillCatalog } from "./skillCatalog";

/** Stores favorites and hidden skills, and whether hidden ones are shown in this window. */
export class SkillMarking extends Owner {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  /** The last read marks of each registry, as JSON. */
  private readonly lastRead = new Map<string, string>();
  private isShowing = false;

  /** Fires when a mark is set or removed, and when hidden skills are shown or hidden. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly memory: ListMemory) {
    super();
  }

  get showsHidden(): boolean {
    return this.isShowing;
  }

  marks(registry: string): SkillMarks {
    const marks = this.memory.marks(registry);
    this.lastRead.set(registry, JSON.stringify(marks));
    return marks;
  }

  async set(
    registry: string,
    mark: SkillMark,
    skills: readonly MarkedSkill[],
    isSet: boolean,
  ): Promise<void> {
    await this.memory.setMark(registry, mark, skills, isSet);
    this.changed.fire();
  }

  /** Reads the marks of other windows, since the editor fires no event for them. */
  reread(): void {
    const isChanged = ([registry, marks]: readonly [string, string]) =>
      JSON.stringify(this.memory.marks(registry)) !== marks;
    if ([...this.lastRead].some(isChanged)) this.changed.fire();
  }

  showHidden(isShown: boolean): void {
    this.isShowing = isShown;
    this.changed.fire();
  }
}

/** The dependencies of marking a skill. */
interface MarkSkillParts {
  readonly catalog: SkillCatalog;
  readonly marking: SkillMarking;
}

/** Sets a mark on skills. */
export async function setMark(
  { catalog, marking }: MarkSkillParts,
  mark: SkillMark,
  slugs: readonly string[],
): Promise<void> {
  const loaded = await loadedList(catalog);
  if (loaded === undefined) return;
  const names = new Map(loaded.list.skills.map(({ slug, displayName }) => [slug, displayName]));
  const named = slugs.map((slug) => ({ slug, name: names.get(slug) ?? slug }));
  await marking.set(loaded.registry, mark, named, true);
}

/** Removes a mark from the command's skills, or from those that the user chooses. */
export async function removeMark(
  parts: MarkSkillParts,
  mark: SkillMark,
  slugs: readonly string[],
): Promise<void> {
  if (mark === "hidden" && slugs.length === 0) return chooseHidden(parts);
  const { catalog, marking } = parts;
  const loaded = await loadedList(catalog);
  if (loaded === undefined) return;
  const marked = marking.marks(loaded.registry)[mark];
  const chosen = slugs.length > 0 ? undefined : await chooseFavorite(marked);
  const chosenSlugs = new Set(slugs);
  const skills =
    chosen === undefined ? marked.filter(({ slug }) => chosenSlugs.has(slug)) : [chosen];
  await marking.set(loaded.registry, mark, skills, false);
}

/** Shows or hides the hidden skills in the list, or unhides one of them, as the user chooses. */
export async function chooseHidden(parts: MarkSkillParts): Promise<void> {
  const { catalog, marking } = parts;
  const loaded = await loadedList(catalog);
  if (loaded === undefined) return;
  const { hidden } = marking.marks(loaded.registry);
  const show = marking.showsHidden
    ? { label: vscode.l10n.t("Stop Showing Hidden Skills"), icon: "eye-closed" }
    : { label: vscode.l10n.t("Show Hidden Skills in the List"), icon: "eye" };
  const chosen = await choose<MarkedSkill | "show">(
    hidden.length === 0
      ? []
      : [
          { ...show, value: "show" },
          ...hidden.map((skill) => ({
            label: vscode.l10n.t("Unhide {0}", skill.name),
            description: skill.slug,
            value: skill,
          })),
        ],
    {
      title: vscode.l10n.t("Hidden Skills"),
      none: vscode.l10n.t("No skill of this registry is hidden."),
      closesOnBlur: true,
    },
  );
  if (chosen === "show") showHidden(marking, !marking.showsHidden);
  else if (chosen !== undefined) await marking.set(loaded.registry, "hidden", [chosen], false);
}

/** Shows or hides the hidden skills in the list. */
export function showHidden(marking: SkillMarking, isShown: boolean): void {
  marking.showHidden(isShown);
  showStatus(
    isShown ? "eye" : "eye-closed",
    isShown
      ? vscode.l10n.t("Hidden skills are shown.")
      : vscode.l10n.t("Hidden skills are not shown."),
  );
}

/** Returns the loaded list, since marks belong to its registry. Reports if there is none. */
async function loadedList(catalog: SkillCatalog): Promise<LoadedCatalog | undefined> {
  await catalog.ready();
  if (catalog.state.kind === "list") return catalog.state;
  void offer(
    vscode.l10n.t("The list of skills is not loaded. Refresh it, then try again."),
    vscode.l10n.t("Refresh"),
    () => vscode.commands.executeCommand(commandIds.refresh),
  );
  return undefined;
}

function chooseFavorite(favorites: readonly MarkedSkill[]): Promise<MarkedSkill | undefined> {
  return choose(
    favorites.map((skill) => ({ label: skill.name, description: skill.slug, value: skill })),
    {
      title: vscode.l10n.t("Remove from Favorites"),
      none: vscode.l10n.t("No skill of this registry is a favorite."),
      closesOnBlur: true,
    },
  );
}
