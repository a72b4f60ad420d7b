import * as vscode from "vscode";
import { groupingTitle, orderWords } from "../../core/skillList/order/arrangementWords";
import {
  readGrouping,
  readOrder,
  type SkillGrouping,
  type SkillOrder,
  skillGroupings,
  skillOrders,
} from "../../core/skillList/order/skillArrangement";
import { hostLanguage } from "../words/hostLanguage";
import type { SkillCatalog } from "./skillCatalog";

/** Lists the skills in the given order, or asks for one. */
export async function sortSkills(catalog: SkillCatalog, given: unknown): Promise<void> {
  const order = readOrder(given) ?? (await askForOrder(catalog.arrangement.order));
  if (order !== undefined) await catalog.setArrangement({ ...catalog.arrangement, order });
}

/** Groups the skills as given, or asks how. */
export async function groupSkills(catalog: SkillCatalog, given: unknown): Promise<void> {
  const grouping = readGrouping(given) ?? (await askForGrouping(catalog.arrangement.grouping));
  if (grouping !== undefined) await catalog.setArrangement({ ...catalog.arrangement, grouping });
}

async function askForOrder(active: SkillOrder): Promise<SkillOrder | undefined> {
  const language = hostLanguage();
  const items = skillOrders.map((order) => {
    const { title, meaning } = orderWords(order, language);
    return { label: marked(title, order === active), description: meaning, order };
  });
  const title = vscode.l10n.t("Sort Skills By");
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.order;
}

async function askForGrouping(active: SkillGrouping): Promise<SkillGrouping | undefined> {
  const language = hostLanguage();
  const items = skillGroupings.map((grouping) => ({
    label: marked(groupingTitle(grouping, language), grouping === active),
    grouping,
  }));
  const title = vscode.l10n.t("Group Skills By");
  return (await vscode.window.showQuickPick(items, { title }))?.grouping;
}

function marked(title: string, isActive: boolean): string {
  return isActive ? `$(check) ${title}` : title;
}
