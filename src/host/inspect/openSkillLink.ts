import * as vscode from "vscode";
import { readSkillLink } from "../../core/skill/skillAddress";
import type { SkillPages } from "./skillPages";

/** Opens the page that a link into the editor names; a link can do nothing else. Other links are told to name no skill. */
export async function openSkillLink(pages: SkillPages, path: string): Promise<void> {
  const address = readSkillLink(path);
  if (address !== undefined) return pages.open(address.slug, undefined, address.version);
  void vscode.window.showWarningMessage(
    vscode.l10n.t("Invalid skill link. Expected …/skill/<name>."),
  );
}
