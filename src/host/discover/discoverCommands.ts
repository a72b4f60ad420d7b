import * as vscode from "vscode";
import { unrestrictedQuery } from "../../core/skillList/skillQueryWords";
import type { RegistryConnection } from "../connect/registryConnection";
import type { CommandHandlers } from "../registerCommands";
import { groupSkills, sortSkills } from "./arrangeSkills";
import { copySkillLink, copySlug } from "./copySkill";
import { deleteFilterSet, saveFilterSet, useFilterSet } from "./filterSetCommands";
import { filterSkills } from "./filterSkills";
import type { ListMemory } from "./listMemory";
import { setMark, takeMark } from "./markSkill";
import { removeFilter } from "./removeFilter";
import { searchSkills } from "./searchSkills";
import type { SkillCatalog } from "./skillCatalog";
import type { SkillMarking } from "./skillMarking";
import type { SkillsView } from "./skillsView";
import { slugArgument } from "./slugArgument";

/** What the commands of the Skills view work with. */
export interface DiscoverParts {
  readonly catalog: SkillCatalog;
  readonly connection: RegistryConnection;
  readonly marking: SkillMarking;
  readonly memory: ListMemory;
  readonly view: SkillsView;
  /** Lets the user choose a skill; undefined where they gave up. */
  readonly askWhich: (title: string) => Promise<string | undefined>;
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
  | "addFavourite"
  | "removeFavourite"
  | "hideSkill"
  | "unhideSkill"
  | "showHiddenSkills"
  | "hideHiddenSkills";

/** Says what each command of the Skills view does. */
export function discoverCommands(parts: DiscoverParts): Pick<CommandHandlers, DiscoverCommand> {
  const { catalog, connection, marking, memory } = parts;
  const withSkill =
    (title: string, act: (slug: string) => Promise<void>) => async (argument: unknown) => {
      const slug = slugArgument(argument) ?? (await parts.askWhich(title));
      if (slug !== undefined) await act(slug);
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
    copySlug: withSkill(vscode.l10n.t("Copy Slug"), copySlug),
    copySkillLink: withSkill(vscode.l10n.t("Copy Link to Skill"), (slug) =>
      copySkillLink(connection, slug),
    ),
    addFavourite: (argument) => setMark(parts, "favourites", argument),
    removeFavourite: (argument) => takeMark(parts, "favourites", argument),
    hideSkill: (argument) => setMark(parts, "hidden", argument),
    unhideSkill: (argument) => takeMark(parts, "hidden", argument),
    showHiddenSkills: () => marking.showHidden(true),
    hideHiddenSkills: () => marking.showHidden(false),
  };
}
