import * as vscode from "vscode";
import { skillLink } from "../../core/skill/skillLink";
import type { RegistryConnection } from "../connect/registryConnection";
import { presentNoConnection } from "../words/present";

const shownMs = 5000;

/** Copies the name a skill has in commands, routes and file names. */
export async function copySlug(slug: string): Promise<void> {
  await vscode.env.clipboard.writeText(slug);
  vscode.window.setStatusBarMessage(vscode.l10n.t("$(copy) Slug copied"), shownMs);
}

/** Copies the address a skill has in the registry in use, and says where that address works here alone. */
export async function copySkillLink(connection: RegistryConnection, slug: string): Promise<void> {
  const connected = await connection.current();
  if (!connected.ok) {
    void presentNoConnection(connected.problem);
    return;
  }
  const { baseUrl, isBuiltIn } = connected.registry;
  await vscode.env.clipboard.writeText(skillLink(baseUrl, slug));
  const words = isBuiltIn
    ? vscode.l10n.t("$(copy) Link copied. It works on this machine while this window is open.")
    : vscode.l10n.t("$(copy) Link copied");
  vscode.window.setStatusBarMessage(words, shownMs);
}
