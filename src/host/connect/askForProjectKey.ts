import * as vscode from "vscode";
import { readProjectKey } from "../../core/registry/credential";
import { localize } from "../../core/text/language";
import { labelText } from "../../core/text/plainText";
import { withWaiting } from "../invoke/progress";
import { hostLanguage } from "../messages/hostLanguage";
import type { ProjectKeys } from "./projectKeys";
import type { ConnectedRegistry } from "./registryConnection";

/** A way to a key without pasting one. */
export interface KeyOffer {
  /** Names the project that the key would be for. */
  readonly project: string;
  /** Creates a key and keeps it. Undefined where the user gave up, or it failed and they were notified. */
  readonly create: () => Promise<string | undefined>;
}

/**
 * Asks for the Project Key of a registry and keeps it, or has one created where that is offered.
 * Resolves to the key, or to undefined where the user gave up.
 */
export async function askForProjectKey(
  keys: ProjectKeys,
  registry: ConnectedRegistry,
  offer: KeyOffer | undefined,
): Promise<string | undefined> {
  if (offer === undefined) return pasteProjectKey(keys, registry);
  const create = { label: vscode.l10n.t("Create a Project Key for {0}", labelText(offer.project)) };
  const paste = { label: vscode.l10n.t("Paste a Project Key") };
  const chosen = await vscode.window.showQuickPick([create, paste], {
    title: titleFor(registry),
    placeHolder: vscode.l10n.t("Skills are invoked with a Project Key"),
    ignoreFocusOut: true,
  });
  if (chosen === create) return offer.create();
  return chosen === paste ? pasteProjectKey(keys, registry) : undefined;
}

function titleFor(registry: ConnectedRegistry): string {
  const name = registry.isBuiltIn ? registry.name : registry.origin;
  return vscode.l10n.t("Project Key for {0}", name);
}

async function pasteProjectKey(
  keys: ProjectKeys,
  registry: ConnectedRegistry,
): Promise<string | undefined> {
  const pasted = await vscode.window.showInputBox({
    title: titleFor(registry),
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
    vscode.l10n.t("Saving the Project Key"),
    keys.keep(registry, read.key),
  );
  // The key is usable at once, without waiting for the secret storage.
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
function wordsFor({ origin, ownKey }: ConnectedRegistry): vscode.InputBoxOptions {
  return ownKey === undefined
    ? {
        prompt: vscode.l10n.t(
          "A Project Key lets you invoke skills for one project of this registry. Create it in that project at {0}, or with “Skill Registry: Create Project Key…”. It is kept in the secret storage and sent to this registry only.",
          origin,
        ),
      }
    : {
        prompt: vscode.l10n.t(
          "A Project Key lets you invoke skills for one project. The built-in registry has made one for this window: press Enter.",
        ),
        value: ownKey,
      };
}
