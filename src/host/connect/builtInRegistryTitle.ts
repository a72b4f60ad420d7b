import * as vscode from "vscode";

/** Names the built-in registry on screen. */
export function builtInRegistryTitle(): string {
  return vscode.l10n.t("Built-in registry");
}
