import * as vscode from "vscode";
import { skillLink } from "../../core/skill/skillAddress";
import { isRestricted, unrestrictedQuery } from "../../core/skillList/listLabels";
import { maxSearchLength } from "../../core/skillList/skillListing";
import { listText } from "../../core/skillList/skillPicker";
import { timeFormats } from "../../core/text/dates";
import type { RegistryConnection } from "../connect/registryConnection";
import { registryInUse } from "../connect/withRegistry";
import { commandIds } from "../ids";
import { type CommandHandlers, slugArguments } from "../registerCommands";
import { hostLanguage } from "../ui/hostLanguage";
import { copyText, showStatus } from "../ui/messages";
import { addFavorites, type Favorites, removeFavorites } from "./favorites";
import { filterSkills, removeFilter } from "./filterCommands";
import type { ListMemory } from "./listMemory";
import { askForSkill, type SkillSource } from "./pickSkill";
import type { SkillCatalog } from "./skillCatalog";
import { fromRow, type SkillsView } from "./skillsView";
import type { ThisSkill } from "./thisSkill";
import { viewAs } from "./viewAs";

/** The dependencies of the commands of the Skills view. */
interface DiscoverParts {
  readonly catalog: SkillCatalog;
  readonly source: SkillSource;
  readonly favorites: Favorites;
  readonly memory: ListMemory;
  readonly view: SkillsView;
  readonly thisSkill: ThisSkill;
  readonly openSkill: (slug: string) => Promise<void>;
  readonly openPayload: (slug: string) => Promise<void>;
}

/** Builds the commands of the Skills view. */
export function discoverCommands(parts: DiscoverParts) {
  const { catalog, source } = parts;
  const withSkills =
    (title: string, act: (slugs: readonly string[]) => Promise<void>) =>
    async (argument: unknown, option: unknown) => {
      const slugs = slugArguments(argument, option);
      const chosen = slugs.length > 0 ? undefined : await parts.thisSkill.choose(argument, title);
      if (slugs.length > 0 || chosen !== undefined) await act(chosen ? [chosen] : slugs);
    };
  return {
    search: (text) => searchSkills(parts, text),
    filter: (filters) => filterSkills(catalog, filters),
    clearFilters: () => catalog.setQuery(unrestrictedQuery),
    removeFilter: (filters) => removeFilter(catalog, filters),
    viewAs: (look) => viewAs(parts, look),
    loadMore: (origin) => parts.view.loadMore(origin === fromRow),
    copySlug: withSkills(vscode.l10n.t("Copy Slug"), copySlugs),
    copySkillLink: withSkills(vscode.l10n.t("Copy Link to Skill"), (slugs) =>
      copySkillLinks(source.connection, slugs),
    ),
    addFavorite: withSkills(vscode.l10n.t("Add to Favorites"), (slugs) =>
      addFavorites(parts, slugs),
    ),
    removeFavorite: (...given) => removeFavorites(parts, slugArguments(...given)),
  } satisfies Partial<CommandHandlers>;
}

/**
 * Searches the Skills view for the given text, or lets the user search while typing. Choosing a skill there opens its
 * page; a button in its row opens a payload.
 */
async function searchSkills(
  { catalog, source, openSkill, openPayload }: DiscoverParts,
  given: unknown,
): Promise<void> {
  if (typeof given === "string") return showMatches(catalog, given);
  const choice = await askForSkill(source, {
    title: vscode.l10n.t("Search Skills"),
    text: catalog.query.text,
    // The view keeps its filters, which do not apply to the rows of the search.
    offerText: (text) =>
      listText(text, isRestricted({ ...catalog.query, text: "" }), hostLanguage()),
    actions: [
      { icon: "open-preview", title: vscode.l10n.t("Open Page"), run: openSkill },
      { icon: "json", title: vscode.l10n.t("Open Payload"), run: openPayload },
      { icon: "diff", title: vscode.l10n.t("Compare with…"), run: compare },
    ],
  });
  if (choice?.kind === "text") await showMatches(catalog, choice.text);
  if (choice?.kind === "skill") await openSkill(choice.skill.slug);
}

function compare(slug: string): Thenable<unknown> {
  return vscode.commands.executeCommand(commandIds.compareSkills, { start: [slug] });
}

function showMatches(catalog: SkillCatalog, text: string): Promise<void> {
  return catalog.setQuery({ ...catalog.query, text: text.trim().slice(0, maxSearchLength) });
}

/** Reloads the list and confirms it, since it may look as before. The view shows a failure. */
export async function refreshList(catalog: SkillCatalog): Promise<void> {
  await catalog.refresh();
  const { state } = catalog;
  if (state.kind !== "list" || state.problem !== undefined) return;
  const time = timeFormats(hostLanguage()).timeOfDay(state.loadedAt);
  showStatus("check", vscode.l10n.t("Skills refreshed at {0}", time));
}

/** Copies the slugs of skills, one per line. */
async function copySlugs(slugs: readonly string[]): Promise<void> {
  const { length } = slugs;
  await copyText(
    slugs.join("\n"),
    length === 1 ? vscode.l10n.t("Slug copied") : vscode.l10n.t("{0} slugs copied", length),
  );
}

/** Copies the links of skills at the registry in use, one per line. Reports if they work only on this machine. */
async function copySkillLinks(
  connection: RegistryConnection,
  slugs: readonly string[],
): Promise<void> {
  const registry = await registryInUse(connection);
  if (registry === undefined) return;
  const { baseUrl, isBuiltIn } = registry;
  const links = slugs.map((slug) => skillLink(baseUrl, slug));
  const copied =
    links.length === 1
      ? vscode.l10n.t("Link copied")
      : vscode.l10n.t("{0} links copied", links.length);
  const note = isBuiltIn ? vscode.l10n.t("For this machine only, while this window is open.") : "";
  await copyText(links.join("\n"), [copied, note].filter(Boolean).join(". "));
}
