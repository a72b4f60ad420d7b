import * as vscode from "vscode";
import {
  type CountedList,
  type FilterValues,
  filterValues,
} from "../../core/skillList/filter/filterValues";
import { readSkillFilters } from "../../core/skillList/filter/skillFilterInput";
import {
  filterTitle,
  filterValueWord,
  isRestricted,
} from "../../core/skillList/filter/skillQueryWords";
import {
  type SkillFilterName,
  type SkillFilters,
  skillFilterNames,
} from "../../core/skillList/skillQuery";
import { labelText } from "../../core/text/plainText";
import { hostLanguage } from "../words/hostLanguage";
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
  const picked = await vscode.window.showQuickPick<ValueItem>(
    catalog.ready().then(() => valueItems(catalog)),
    {
      canPickMany: true,
      matchOnDescription: true,
      title: vscode.l10n.t("Filter Skills"),
      placeHolder: vscode.l10n.t("Choose what skills may be; none chosen in a group means any"),
    },
  );
  if (picked === undefined) return undefined;
  const filters: Partial<Record<SkillFilterName, string[]>> = {};
  for (const { filter, value } of picked) {
    if (filter === undefined || value === undefined) continue;
    filters[filter] = [...(filters[filter] ?? []), value];
  }
  return filters;
}

function valueItems(catalog: SkillCatalog): ValueItem[] {
  const language = hostLanguage();
  const list = countedList(catalog);
  return skillFilterNames.flatMap((filter): ValueItem[] => {
    const offered = filterValues(filter, list, catalog.query.filters);
    if (offered.values.length === 0) return [];
    return [
      { label: heading(filter, offered), kind: vscode.QuickPickItemKind.Separator },
      ...offered.values.map(({ value, count, active }) => ({
        label: labelText(filterValueWord(filter, value, language), 60),
        description: count === undefined ? "" : skillCount(count),
        picked: active,
        filter,
        value,
      })),
    ];
  });
}

function countedList({ state, query }: SkillCatalog): CountedList | undefined {
  if (state.kind !== "list") return undefined;
  const { nextCursor, brokenEnd } = state.list;
  const isWhole = nextCursor === undefined && brokenEnd === undefined && !isRestricted(query);
  return { ...state.list, isWhole };
}

/** Says whose counts they are, and that all tags must match where of the others one is enough. */
function heading(filter: SkillFilterName, { countedOver }: FilterValues): string {
  const title =
    filter === "tags"
      ? vscode.l10n.t("Tags (all must match)")
      : filterTitle(filter, hostLanguage());
  if (countedOver === undefined) return title;
  return vscode.l10n.t("{0}, counted over the {1} loaded", title, countedOver);
}

function skillCount(count: number): string {
  const { format } = new Intl.NumberFormat(hostLanguage().locale);
  return count === 1 ? vscode.l10n.t("1 skill") : vscode.l10n.t("{0} skills", format(count));
}
