import * as vscode from "vscode";
import { countedList } from "../../core/skillList/catalogState";
import { filterRowLabel } from "../../core/skillList/listLabels";
import { skillCountText } from "../../core/skillList/rows/skillRowText";
import {
  activeRestrictions,
  filterNote,
  filterValues,
  readSkillFilters,
  restrictionLabels,
  withoutRestriction,
} from "../../core/skillList/skillFilters";
import {
  type SkillFilterName,
  type SkillFilters,
  type SkillQuery,
  skillFilterNames,
} from "../../core/skillList/skillQuery";
import { hostLanguage } from "../ui/hostLanguage";
import { choose, chooseMany } from "../ui/quickInput/choose";
import type { SkillCatalog } from "./skillCatalog";

/** Filters the Skills view by the given filters, or asks for them in one list of check boxes. */
export async function filterSkills(catalog: SkillCatalog, given: unknown): Promise<void> {
  const filters = readSkillFilters(given) ?? (await askForFilters(catalog));
  if (filters !== undefined) await catalog.setQuery({ ...catalog.query, filters });
}

async function askForFilters(catalog: SkillCatalog): Promise<SkillFilters | undefined> {
  const chosen = await chooseMany(
    catalog.ready().then(() => valueRows(catalog)),
    {
      title: vscode.l10n.t("Filter Skills"),
      placeHolder: vscode.l10n.t("Select filters. An empty group matches everything."),
    },
  );
  if (chosen === undefined) return undefined;
  const filters: Partial<Record<SkillFilterName, string[]>> = {};
  for (const { filter, value } of chosen) filters[filter] = [...(filters[filter] ?? []), value];
  return filters;
}

function valueRows(catalog: SkillCatalog) {
  const language = hostLanguage();
  const { state, query } = catalog;
  const list = countedList(state, query);
  return skillFilterNames.flatMap((filter) => {
    const offered = filterValues(filter, list, query.filters);
    return offered.values.map(({ value, count, active }) => ({
      group: filter,
      heading: filterNote(filter, offered, language),
      label: filterRowLabel(filter, value, language),
      description: count === undefined ? "" : skillCountText(count, language),
      picked: active,
      value: { filter, value },
    }));
  });
}

/** Removes the given filter values from the list's restrictions, or asks which to remove. */
export async function removeFilter(catalog: SkillCatalog, given: unknown): Promise<void> {
  const filters = readSkillFilters(given);
  const query =
    filters === undefined
      ? await askForRemoval(catalog.query)
      : activeRestrictions({ text: "", filters }).reduce(withoutRestriction, catalog.query);
  if (query !== undefined) await catalog.setQuery(query);
}

function askForRemoval(query: SkillQuery): Promise<SkillQuery | undefined> {
  const language = hostLanguage();
  const rows = activeRestrictions(query).map((restriction) => {
    const { title, value } = restrictionLabels(restriction, language);
    return { label: value, description: title, value: withoutRestriction(query, restriction) };
  });
  return choose(rows, {
    title: vscode.l10n.t("Remove a Filter"),
    placeHolder: vscode.l10n.t("Select a filter to remove"),
    none: vscode.l10n.t("No search and no filter is active: the Skills view lists all skills."),
    closesOnBlur: true,
  });
}
