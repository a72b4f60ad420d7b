import * as vscode from "vscode";
import { countedList } from "../../core/skillList/catalogState";
import { filterValueLabel } from "../../core/skillList/listLabels";
import { skillCountText } from "../../core/skillList/rows/skillRowText";
import {
  activeRestrictions,
  filterHeading,
  filterValues,
  readSkillFilters,
  restrictionLabels,
  withoutRestriction,
} from "../../core/skillList/skillFilters";
import {
  type FilterSet,
  listingText,
  readSetName,
  withoutSet,
  withSet,
} from "../../core/skillList/skillListing";
import {
  type SkillFilterName,
  type SkillFilters,
  type SkillQuery,
  skillFilterNames,
} from "../../core/skillList/skillQuery";
import { labelText } from "../../core/text/plainText";
import { hostLanguage } from "../ui/hostLanguage";
import { confirm } from "../ui/messages";
import { ask } from "../ui/quickInput/ask";
import { type ChoiceRow, choose, chooseMany } from "../ui/quickInput/choose";
import type { ListMemory } from "./listMemory";
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
      heading: filterHeading(filter, offered, language),
      label: filterValueLabel(filter, value, language),
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

/** Saves the active search, filters, order and groups under the given name, or asks for one. */
export async function saveFilterSet(
  memory: ListMemory,
  catalog: SkillCatalog,
  given: unknown,
): Promise<void> {
  const { query, arrangement } = catalog;
  const listing = { query, arrangement };
  const typed =
    typeof given === "string" ? given : await askForName(listingText(listing, hostLanguage()));
  const name = typed === undefined ? undefined : readSetName(typed);
  if (name === undefined) return;
  const isReplaced = memory.filterSets.get().some((set) => set.name === name);
  // A key binding or a script that passes a name may replace the set without a question.
  if (isReplaced && typeof given !== "string" && !(await mayReplace(name))) return;
  await memory.filterSets.set(withSet(memory.filterSets.get(), { name, listing }));
}

/**
 * Applies the filter set of the given name. Without a name, lists the sets to apply or delete, and offers to save one.
 */
export async function useFilterSet(
  memory: ListMemory,
  catalog: SkillCatalog,
  given: unknown,
): Promise<void> {
  const named = typeof given === "string" ? readSetName(given) : undefined;
  if (typeof given === "string") {
    const set = memory.filterSets.get().find(({ name }) => name === named);
    if (set !== undefined) await catalog.setListing(set.listing);
    return;
  }
  const picked = await pickSet(memory);
  if (picked === "save") await saveFilterSet(memory, catalog, undefined);
  else if (picked !== undefined) await catalog.setListing(picked.listing);
}

function mayReplace(name: string): Promise<boolean> {
  const message = vscode.l10n.t("Replace the saved filters “{0}”?", labelText(name));
  return confirm({ message, agree: vscode.l10n.t("Replace") });
}

function askForName(words: string): Promise<string | undefined> {
  const all = vscode.l10n.t("all skills");
  return ask({
    title: vscode.l10n.t("Save Filters"),
    prompt: vscode.l10n.t("Name for {0}", labelText(words === "" ? all : words, 200)),
    placeHolder: vscode.l10n.t("For example: Ready to use"),
    problemOf: (typed) => (readSetName(typed) === undefined ? vscode.l10n.t("Enter a name.") : ""),
  });
}

/** Resolves to the chosen set, to `save` for the active filters, or to undefined. */
function pickSet(memory: ListMemory): Promise<FilterSet | "save" | undefined> {
  const question = {
    title: vscode.l10n.t("Saved Filters"),
    placeHolder: vscode.l10n.t("Choose saved filters, or save the active ones"),
    closesOnBlur: true,
  };
  return choose<FilterSet | "save">((draw) => {
    const saved = memory.filterSets.get().map((set) =>
      setRow(set, async () => {
        await memory.filterSets.set(withoutSet(memory.filterSets.get(), set.name));
        draw();
      }),
    );
    const label = vscode.l10n.t("Save Active Filters As…");
    return [...saved, { label, icon: "save", alwaysShow: true, value: "save" }];
  }, question);
}

function setRow(set: FilterSet, remove: () => unknown): ChoiceRow<FilterSet> {
  const title = vscode.l10n.t("Delete Saved Filters “{0}”", set.name);
  return {
    label: set.name,
    description: listingText(set.listing, hostLanguage()) || vscode.l10n.t("all skills"),
    buttons: [{ icon: "trash", title, press: remove }],
    value: set,
  };
}
