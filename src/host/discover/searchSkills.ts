import * as vscode from "vscode";
import { isRestricted } from "../../core/skillList/filter/skillQueryWords";
import { maxSearchLength } from "../../core/skillList/skillListing";
import type { RegistryConnection } from "../connect/registryConnection";
import { commandIds } from "../ids";
import { askForSkill } from "./askForSkill";
import type { SkillCatalog } from "./skillCatalog";

/** What a search needs. */
export interface SearchParts {
  readonly catalog: SkillCatalog;
  readonly connection: RegistryConnection;
  readonly openSkill: (slug: string) => Promise<void>;
  readonly newPayload: (slug: string) => Promise<void>;
}

/**
 * Searches the Skills view for the given text, or lets the user search while typing; a skill that
 * is chosen there opens its page, or a payload by the button in its row.
 */
export async function searchSkills(
  { catalog, connection, openSkill, newPayload }: SearchParts,
  given: unknown,
): Promise<void> {
  if (typeof given === "string") return showMatches(catalog, given);
  const choice = await askForSkill(connection, {
    title: vscode.l10n.t("Search Skills"),
    text: catalog.query.text,
    offerText: (text) => listWords(text, isRestricted({ ...catalog.query, text: "" })),
    actions: [
      { icon: "open-preview", title: vscode.l10n.t("Open Page"), run: openSkill },
      { icon: "new-file", title: vscode.l10n.t("New Payload"), run: newPayload },
      { icon: "diff", title: vscode.l10n.t("Compare with…"), run: compare },
    ],
  });
  if (choice?.kind === "text") await showMatches(catalog, choice.text);
  if (choice?.kind === "skill") await openSkill(choice.skill.slug);
}

/** The view keeps its filters, which the rows of the search do not go through. */
function listWords(text: string, isFiltered: boolean): string {
  if (text === "") {
    return isFiltered
      ? vscode.l10n.t("List all skills that pass the filters in the Skills view")
      : vscode.l10n.t("List all skills in the Skills view");
  }
  return isFiltered
    ? vscode.l10n.t("List “{0}” in the Skills view, with its filters", text)
    : vscode.l10n.t("List “{0}” in the Skills view", text);
}

function compare(slug: string): Thenable<unknown> {
  return vscode.commands.executeCommand(commandIds.compareSkills, { start: [slug] });
}

function showMatches(catalog: SkillCatalog, text: string): Promise<void> {
  return catalog.setQuery({ ...catalog.query, text: text.trim().slice(0, maxSearchLength) });
}
