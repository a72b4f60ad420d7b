import * as vscode from "vscode";
import { skillLink } from "../../core/skill/skillLink";
import type { RegistryConnection } from "../connect/registryConnection";
import { showNoConnection } from "../words/showNotice";

const shownMs = 5000;

/** Copies the names skills have in commands, routes and file names, one on a line. */
export async function copySlugs(slugs: readonly string[]): Promise<void> {
  await vscode.env.clipboard.writeText(slugs.join("\n"));
  const { length } = slugs;
  const message =
    length === 1
      ? vscode.l10n.t("$(copy) Slug copied")
      : vscode.l10n.t("$(copy) {0} slugs copied", length);
  vscode.window.setStatusBarMessage(message, shownMs);
}

/** Copies the addresses skills have in the registry in use, one on a line, and says where they work here alone. */
export async function copySkillLinks(
  connection: RegistryConnection,
  slugs: readonly string[],
): Promise<void> {
  const connected = await connection.current();
  if (!connected.ok) {
    void showNoConnection(connected.problem);
    return;
  }
  const { baseUrl, isBuiltIn } = connected.registry;
  const links = slugs.map((slug) => skillLink(baseUrl, slug));
  await vscode.env.clipboard.writeText(links.join("\n"));
  const copied =
    links.length === 1
      ? vscode.l10n.t("$(copy) Link copied")
      : vscode.l10n.t("$(copy) {0} links copied", links.length);
  const note = isBuiltIn ? vscode.l10n.t("For this machine only, while this window is open.") : "";
  vscode.window.setStatusBarMessage([copied, note].filter(Boolean).join(". "), shownMs);
}
