import * as vscode from "vscode";
import {
  type FilterSet,
  readSetName,
  withoutSet,
  withSet,
} from "../../core/skillList/filter/filterSets";
import { listingWords } from "../../core/skillList/skillListing";
import { labelText } from "../../core/text/plainText";
import { hostLanguage } from "../words/hostLanguage";
import type { ListMemory } from "./listMemory";
import type { SkillCatalog } from "./skillCatalog";

/** Keeps the active search, filters, order and groups under the given name, or asks for one. */
export async function saveFilterSet(
  memory: ListMemory,
  catalog: SkillCatalog,
  given: unknown,
): Promise<void> {
  const { query, arrangement } = catalog;
  const listing = { query, arrangement };
  const typed =
    typeof given === "string" ? given : await askForName(listingWords(listing, hostLanguage()));
  const name = typed === undefined ? undefined : readSetName(typed);
  if (name !== undefined) {
    await memory.keepFilterSets(withSet(memory.filterSets, { name, listing }));
  }
}

/** Shows what the filter set of the given name finds, or asks for one. */
export async function useFilterSet(
  memory: ListMemory,
  catalog: SkillCatalog,
  given: unknown,
): Promise<void> {
  const set = await chooseSet(memory, vscode.l10n.t("Use Saved Filters"), given);
  if (set !== undefined) await catalog.setListing(set.listing);
}

/** Forgets the filter set of the given name, or asks which. */
export async function deleteFilterSet(memory: ListMemory, given: unknown): Promise<void> {
  const set = await chooseSet(memory, vscode.l10n.t("Delete Saved Filters"), given);
  if (set !== undefined) await memory.keepFilterSets(withoutSet(memory.filterSets, set.name));
}

function askForName(words: string): Thenable<string | undefined> {
  const all = vscode.l10n.t("all skills");
  return vscode.window.showInputBox({
    title: vscode.l10n.t("Save Filters"),
    prompt: vscode.l10n.t("A name for: {0}", labelText(words === "" ? all : words, 200)),
    placeHolder: vscode.l10n.t("For example: ready to use"),
    validateInput: (typed) =>
      readSetName(typed) === undefined ? vscode.l10n.t("Type a name.") : undefined,
  });
}

interface SetItem extends vscode.QuickPickItem {
  readonly set: FilterSet;
}

async function chooseSet(
  memory: ListMemory,
  title: string,
  given: unknown,
): Promise<FilterSet | undefined> {
  const sets = memory.filterSets;
  if (typeof given === "string") return sets.find(({ name }) => name === readSetName(given));
  if (sets.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        "No filters are saved. “Skill Registry: Save Filters As…” saves the active ones.",
      ),
    );
    return undefined;
  }
  const items = sets.map(
    (set): SetItem => ({
      label: labelText(set.name, 60),
      description: labelText(
        listingWords(set.listing, hostLanguage()) || vscode.l10n.t("all skills"),
        160,
      ),
      set,
    }),
  );
  const placeHolder = vscode.l10n.t("Choose saved filters");
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder });
  return picked?.set;
}
