import * as vscode from "vscode";
import type { SkillPages } from "./skillPages";

/** Selecting a whole list takes one key; more pages than that at once are more likely a slip. */
const maxUnasked = 10;

/** Opens the page of each skill, the last one in front; asks first where there are more than ten. */
export async function openSkills(pages: SkillPages, slugs: readonly string[]): Promise<void> {
  if (slugs.length > maxUnasked && !(await isMeant(slugs.length))) return;
  for (const slug of slugs) await pages.open(slug);
}

async function isMeant(count: number): Promise<boolean> {
  const open = vscode.l10n.t("Open Pages");
  const question = vscode.l10n.t("Open the pages of {0} skills?", count);
  return (await vscode.window.showWarningMessage(question, { modal: true }, open)) === open;
}
