import * as vscode from "vscode";
import { readProjectKey } from "../../core/registry/projectKey";
import { localize } from "../../core/text/localizableText";
import { withWaiting } from "../invoke/progress";
import { hostLanguage } from "../words/hostLanguage";
import type { ProjectKeys } from "./projectKeys";
import type { ConnectedRegistry } from "./registryConnection";

/**
 * Asks for the Project Key of a registry and keeps it. Resolves to the key, or to undefined where
 * the user gave up.
 */
export async function askForProjectKey(
  keys: ProjectKeys,
  registry: ConnectedRegistry,
): Promise<string | undefined> {
  const pasted = await vscode.window.showInputBox({
    title: vscode.l10n.t(
      "Project Key for {0}",
      registry.isBuiltIn ? registry.name : registry.origin,
    ),
    ...wordsFor(registry),
    placeHolder: vscode.l10n.t("skh_… or sk_proj_…"),
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => {
      const read = readProjectKey(text);
      return text === "" || read.ok ? undefined : localize(read.problem, hostLanguage());
    },
  });
  const read = pasted === undefined ? undefined : readProjectKey(pasted);
  if (!read?.ok) return undefined;
  const keeping = await withWaiting(
    vscode.l10n.t("Keeping the Project Key"),
    keys.keep(registry, read.key),
  );
  // Whoever does not wait for the secret storage has the key for now all the same.
  if (keeping === undefined) keys.keepForSession(registry, read.key);
  if (keeping !== "secretStorage" && !registry.isBuiltIn) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t(
        "The editor's secret storage cannot be used, so the Project Key is kept until this window closes. It is not written anywhere.",
      ),
    );
  }
  return read.key;
}

/** The built-in registry's key is not one a user could have: it is offered as it is. */
function wordsFor({ ownKey }: ConnectedRegistry): vscode.InputBoxOptions {
  return ownKey === undefined
    ? {
        prompt: vscode.l10n.t(
          "It is kept in the editor's secret storage and sent to this registry only, with each call and each check.",
        ),
      }
    : {
        prompt: vscode.l10n.t("The key this registry made for this window is filled in."),
        value: ownKey,
      };
}
