import * as vscode from "vscode";
import { unrestrictedQuery } from "../../core/skillList/listLabels";
import type { RegistryConnection } from "../connect/registryConnection";
import type { CommandHandlers } from "../registerCommands";
import {
  deleteFilterSet,
  filterSkills,
  removeFilter,
  saveFilterSet,
  useFilterSet,
} from "./filterCommands";
import { copySkillLinks, copySlugs, groupSkills, searchSkills, sortSkills } from "./listCommands";
import type { ListMemory } from "./listMemory";
import type { SkillCatalog } from "./skillCatalog";
import { type SkillMarking, setMark, takeMark } from "./skillMarking";
import type { SkillsView } from "./skillsView";
import { slugArguments } from "./slugArguments";

/** What the commands of the Skills view work with. */
export interface DiscoverParts {
  readonly catalog: SkillCatalog;
  readonly connection: RegistryConnection;
  readonly marking: SkillMarking;
  readonly memory: ListMemory;
  readonly view: SkillsView;
  /** Lets the user choose a skill; undefined where they gave up. */
  readonly pickSkill: (title: string) => Promise<string | undefined>;
  readonly openSkill: (slug: string) => Promise<void>;
  readonly newPayload: (slug: string) => Promise<void>;
}

type DiscoverCommand =
  | "search"
  | "filter"
  | "clearFilters"
  | "removeFilter"
  | "saveFilterSet"
  | "useFilterSet"
  | "deleteFilterSet"
  | "sortSkills"
  | "groupSkills"
  | "loadMore"
  | "copySlug"
  | "copySkillLink"
  | "addFavorite"
  | "removeFavorite"
  | "hideSkill"
  | "unhideSkill"
  | "showHiddenSkills"
  | "hideHiddenSkills";

/** Says what each command of the Skills view does. */
export function discoverCommands(parts: DiscoverParts): Pick<CommandHandlers, DiscoverCommand> {
  const { catalog, connection, marking, memory } = parts;
  const withSkills =
    (title: string, act: (slugs: readonly string[]) => Promise<void>) =>
    async (argument: unknown, option: unknown) => {
      const slugs = slugArguments(argument, option);
      const chosen = slugs.length > 0 ? undefined : await parts.pickSkill(title);
      if (slugs.length > 0 || chosen !== undefined) await act(chosen ? [chosen] : slugs);
    };
  return {
    search: (text) => searchSkills(parts, text),
    filter: (filters) => filterSkills(catalog, filters),
    clearFilters: () => catalog.setQuery(unrestrictedQuery),
    removeFilter: (filters) => removeFilter(catalog, filters),
    saveFilterSet: (name) => saveFilterSet(memory, catalog, name),
    useFilterSet: (name) => useFilterSet(memory, catalog, name),
    deleteFilterSet: (name) => deleteFilterSet(memory, name),
    sortSkills: (order) => sortSkills(catalog, order),
    groupSkills: (grouping) => groupSkills(catalog, grouping),
    loadMore: () => parts.view.loadMore(),
    copySlug: withSkills(vscode.l10n.t("Copy Slug"), copySlugs),
    copySkillLink: withSkills(vscode.l10n.t("Copy Link to Skill"), (slugs) =>
      copySkillLinks(connection, slugs),
    ),
    addFavorite: (...given) => setMark(parts, "favorites", slugArguments(...given)),
    removeFavorite: (...given) => takeMark(parts, "favorites", slugArguments(...given)),
    hideSkill: (...given) => setMark(parts, "hidden", slugArguments(...given)),
    unhideSkill: (...given) => takeMark(parts, "hidden", slugArguments(...given)),
    showHiddenSkills: () => marking.showHidden(true),
    hideHiddenSkills: () => marking.showHidden(false),
  };
}
