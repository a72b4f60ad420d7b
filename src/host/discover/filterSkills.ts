import * as vscode from "vscode";
import { filterValues } from "../../core/filterValues";
import { labelText } from "../../core/plainText";
import { readSkillFilters } from "../../core/skillFilterInput";
import { type SkillFilterName, type SkillFilters, skillFilterNames } from "../../core/skillQuery";
import { filterTitle } from "../../core/skillQueryWords";
import type { SkillCatalog } from "./skillCatalog";

interface ValueItem extends vscode.QuickPickItem {
  readonly filter?: SkillFilterName;
  readonly value?: string;
}

/** Filters the Skills view by the given filters, or asks for them in one list of check boxes. */
export async function filterSkills(catalog: SkillCatalog, given: unknown): Promise<void> {
  const filters = readSkillFilters(given) ?? (await askForFilters(catalog));
  if (filters !== undefined) await catalog.setQuery({ ...catalog.query, filters });
}

async function askForFilters(catalog: SkillCatalog): Promise<SkillFilters | undefined> {
  const picked = await vscode.window.showQuickPick(valueItems(catalog), {
    canPickMany: true,
    matchOnDescription: true,
    title: "Filter Skills",
    placeHolder: "Choose what skills may be; none chosen in a group means any",
  });
  if (picked === undefined) return undefined;
  const filters: Partial<Record<SkillFilterName, string[]>> = {};
  for (const { filter, value } of picked) {
    if (filter === undefined || value === undefined) continue;
    filters[filter] = [...(filters[filter] ?? []), value];
  }
  return filters;
}

function valueItems(catalog: SkillCatalog): ValueItem[] {
  const facets = catalog.state.kind === "list" ? catalog.state.list.facets : undefined;
  return skillFilterNames.flatMap((filter): ValueItem[] => [
    { label: filterTitle(filter), kind: vscode.QuickPickItemKind.Separator },
    ...filterValues(filter, facets, catalog.query.filters).map(({ value, count, active }) => ({
      label: labelText(value, 60),
      description: count === undefined ? "" : skillCount(count),
      picked: active,
      filter,
      value,
    })),
  ]);
}

function skillCount(count: number): string {
  return count === 1 ? "1 skill" : `${count} skills`;
}
