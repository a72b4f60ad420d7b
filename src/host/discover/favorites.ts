import * as vscode from "vscode";
import type { LoadedCatalog } from "../../core/skillList/catalogState";
import type { Favorite } from "../../core/skillList/favorites";
import { commandIds } from "../ids";
import { offer } from "../ui/messages";
import { Owner } from "../ui/owner";
import { choose } from "../ui/quickInput/choose";
import type { ListMemory } from "./listMemory";
import type { SkillCatalog } from "./skillCatalog";

/** Stores the user's favorites. */
export class Favorites extends Owner {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  /** The last read favorites of each registry, as JSON. */
  private readonly lastRead = new Map<string, string>();

  /** Fires when favorites are added or removed. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly memory: ListMemory) {
    super();
  }

  /** Returns the favorites of a registry, by its base address; empty for the built-in one. */
  of(registry: string): readonly Favorite[] {
    const favorites = this.memory.favorites(registry);
    this.lastRead.set(registry, JSON.stringify(favorites));
    return favorites;
  }

  async set(registry: string, skills: readonly Favorite[], isFavorite: boolean): Promise<void> {
    await this.memory.setFavorites(registry, skills, isFavorite);
    this.changed.fire();
  }

  /** Reads the favorites of other windows, since the editor fires no event for them. */
  reread(): void {
    const isChanged = ([registry, favorites]: readonly [string, string]) =>
      JSON.stringify(this.memory.favorites(registry)) !== favorites;
    if ([...this.lastRead].some(isChanged)) this.changed.fire();
  }
}

/** The dependencies of changing favorites. */
interface FavoriteParts {
  readonly catalog: SkillCatalog;
  readonly favorites: Favorites;
}

/** Adds skills to the favorites. */
export async function addFavorites(
  { catalog, favorites }: FavoriteParts,
  slugs: readonly string[],
): Promise<void> {
  const loaded = await loadedList(catalog);
  if (loaded === undefined) return;
  const names = new Map(loaded.list.skills.map(({ slug, displayName }) => [slug, displayName]));
  const named = slugs.map((slug) => ({ slug, name: names.get(slug) ?? slug }));
  await favorites.set(loaded.registry, named, true);
}

/** Removes the command's skills from the favorites, or the one that the user chooses. */
export async function removeFavorites(
  { catalog, favorites }: FavoriteParts,
  slugs: readonly string[],
): Promise<void> {
  const loaded = await loadedList(catalog);
  if (loaded === undefined) return;
  const all = favorites.of(loaded.registry);
  const chosen = slugs.length > 0 ? undefined : await chooseFavorite(all);
  const removed = chosen === undefined ? all.filter(({ slug }) => slugs.includes(slug)) : [chosen];
  await favorites.set(loaded.registry, removed, false);
}

/** Returns the loaded list, since favorites belong to its registry. Reports if there is none. */
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

function chooseFavorite(favorites: readonly Favorite[]): Promise<Favorite | undefined> {
  return choose(
    favorites.map((skill) => ({ label: skill.name, description: skill.slug, value: skill })),
    {
      title: vscode.l10n.t("Remove from Favorites"),
      none: vscode.l10n.t("No skill of this registry is a favorite."),
      closesOnBlur: true,
    },
  );
}
