import * as vscode from "vscode";
import {
  activeRestrictions,
  type Restriction,
  restrictionWords,
  withoutRestriction,
} from "../../core/skillList/filter/activeRestrictions";
import { readSkillFilters } from "../../core/skillList/filter/skillFilterInput";
import {
  type SkillFilters,
  type SkillQuery,
  skillFilterNames,
} from "../../core/skillList/skillQuery";
import { labelText } from "../../core/text/plainText";
import { hostLanguage } from "../words/hostLanguage";
import type { SkillCatalog } from "./skillCatalog";

interface RestrictionItem extends vscode.QuickPickItem {
  readonly restriction: Restriction;
}

/** Takes the given filter values out of what restricts the list, or asks which part to take out. */
export async function removeFilter(catalog: SkillCatalog, given: unknown): Promise<void> {
  const filters = readSkillFilters(given);
  const query =
    filters === undefined
      ? await askForRemoval(catalog.query)
      : withoutFilters(catalog.query, filters);
  if (query !== undefined) await catalog.setQuery(query);
}

function withoutFilters(query: SkillQuery, filters: SkillFilters): SkillQuery {
  return skillFilterNames
    .flatMap((name) =>
      (filters[name] ?? []).map((value): Restriction => ({ kind: "filter", name, value })),
    )
    .reduce(withoutRestriction, query);
}

async function askForRemoval(query: SkillQuery): Promise<SkillQuery | undefined> {
  const language = hostLanguage();
  const items = activeRestrictions(query).map((restriction): RestrictionItem => {
    const { title, value } = restrictionWords(restriction, language);
    return { label: labelText(value, 80), description: title, restriction };
  });
  if (items.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t("No search and no filter is active: the Skills view lists all skills."),
    );
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t("Remove a Filter"),
    placeHolder: vscode.l10n.t("Choose what no longer restricts the list"),
    matchOnDescription: true,
  });
  return picked === undefined ? undefined : withoutRestriction(query, picked.restriction);
}
