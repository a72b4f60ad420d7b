import * as vscode from "vscode";
import { groupingTitle, orderLabels } from "../../core/skillList/listLabels";
import {
  type FilterSet,
  listingText,
  readSetName,
  withoutSet,
  withSet,
} from "../../core/skillList/skillListing";
import {
  readGrouping,
  readOrder,
  type SkillArrangement,
  skillGroupings,
  skillOrders,
} from "../../core/skillList/skillOrder";
import { labelText } from "../../core/text/plainText";
import { hostLanguage } from "../ui/hostLanguage";
import { confirm } from "../ui/messages";
import { ask } from "../ui/quickInput/ask";
import { type ChoiceRow, choose } from "../ui/quickInput/choose";
import type { ListMemory } from "./listMemory";
import type { SkillCatalog } from "./skillCatalog";

/** The dependencies of changing the view. */
interface ViewAsParts {
  readonly catalog: SkillCatalog;
  readonly memory: ListMemory;
}

/** An order with groups, saved filters, or `save` for the active ones. */
type Look = SkillArrangement | FilterSet | "save";

/**
 * Shows the skills in another order, in other groups or by saved filters, as given (`{ order, grouping, saved }`) or
 * chosen in one list, which also saves the active filters and deletes saved ones.
 */
export async function viewAs(parts: ViewAsParts, given: unknown): Promise<void> {
  const look = givenLook(parts, given) ?? (await chooseLook(parts));
  if (look === "save") await saveFilters(parts);
  else if (look !== undefined && "name" in look) await parts.catalog.setListing(look.listing);
  else if (look !== undefined) await parts.catalog.setArrangement(look);
}

function givenLook({ catalog, memory }: ViewAsParts, given: unknown): Look | undefined {
  if (typeof given !== "object" || given === null) return undefined;
  const { saved, ...named } = given as Readonly<Record<string, unknown>>;
  if (saved !== undefined) return memory.filterSets.get().find(({ name }) => name === saved);
  const order = readOrder(named["order"]);
  const grouping = readGrouping(named["grouping"]);
  if (order === undefined && grouping === undefined) return undefined;
  return { ...catalog.arrangement, ...(order && { order }), ...(grouping && { grouping }) };
}

function chooseLook(parts: ViewAsParts): Promise<Look | undefined> {
  return choose<Look>(
    (draw) => [...orderRows(parts), ...groupRows(parts), ...savedRows(parts, draw)],
    { title: vscode.l10n.t("View Skills As"), closesOnBlur: true },
  );
}

function orderRows({ catalog: { arrangement } }: ViewAsParts): readonly ChoiceRow<Look>[] {
  return skillOrders.map((order) => {
    const { title, meaning } = orderLabels(order, hostLanguage());
    return {
      heading: vscode.l10n.t("Sort By"),
      label: title,
      description: meaning,
      icon: checkIf(order === arrangement.order),
      value: { ...arrangement, order },
    };
  });
}

function groupRows({ catalog: { arrangement } }: ViewAsParts): readonly ChoiceRow<Look>[] {
  return skillGroupings.map((grouping) => ({
    heading: vscode.l10n.t("Group By"),
    label: groupingTitle(grouping, hostLanguage()),
    icon: checkIf(grouping === arrangement.grouping),
    value: { ...arrangement, grouping },
  }));
}

/** Returns the icon of a row. Rows that are not active have an empty one, so that all names are aligned. */
function checkIf(isActive: boolean): string {
  return isActive ? "check" : "blank";
}

function savedRows({ memory }: ViewAsParts, draw: () => void): readonly ChoiceRow<Look>[] {
  const heading = vscode.l10n.t("Saved Filters");
  const saved = memory.filterSets.get().map((set) => ({
    heading,
    label: set.name,
    description: listingText(set.listing, hostLanguage()) || vscode.l10n.t("all skills"),
    icon: "filter",
    buttons: [
      {
        icon: "trash",
        title: vscode.l10n.t("Delete Saved Filters “{0}”", set.name),
        press: async () => {
          await memory.filterSets.set(withoutSet(memory.filterSets.get(), set.name));
          draw();
        },
      },
    ],
    value: set,
  }));
  const label = vscode.l10n.t("Save Active Filters As…");
  return [...saved, { heading, label, icon: "save", value: "save" }];
}

/** Saves the active search, filters, order and groups under the name that the user enters. */
async function saveFilters({ memory, catalog }: ViewAsParts): Promise<void> {
  const { query, arrangement } = catalog;
  const listing = { query, arrangement };
  const name = readSetName((await askForName(listingText(listing, hostLanguage()))) ?? "");
  if (name === undefined) return;
  const isReplaced = memory.filterSets.get().some((set) => set.name === name);
  if (isReplaced && !(await mayReplace(name))) return;
  await memory.filterSets.set(withSet(memory.filterSets.get(), { name, listing }));
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

function mayReplace(name: string): Promise<boolean> {
  const message = vscode.l10n.t("Replace the saved filters “{0}”?", labelText(name));
  return confirm({ message, agree: vscode.l10n.t("Replace") });
}
