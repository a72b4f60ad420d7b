import * as vscode from "vscode";
import { labelText, notificationText } from "../../core/text/plainText";
import { withWaiting } from "../invoke/progress";
import type { CommandHandlers } from "../registerCommands";
import { checkProjectKey } from "./checkProjectKey";
import type { PolicyCache } from "./policyCache";
import type { ProjectKeys } from "./projectKeys";
import type { ConnectedRegistry, RegistryConnection } from "./registryConnection";
import { withRegistry } from "./withRegistry";

/** What the commands for Project Keys work with. */
export interface ProjectKeyParts {
  readonly connection: RegistryConnection;
  readonly keys: ProjectKeys;
  readonly policies: PolicyCache;
  /** Has the user give a key, which is kept then. Undefined where they gave up. */
  readonly askForKey: (registry: ConnectedRegistry) => Promise<string | undefined>;
  /** Runs after each of them, since what can be run may have changed. */
  readonly refreshCallability: () => void;
}

/** Builds the commands for the Project Key of the registry in use. None shows or returns a key. */
export function projectKeyCommands({
  connection,
  keys,
  policies,
  askForKey,
  refreshCallability,
}: ProjectKeyParts) {
  const over = (work: (registry: ConnectedRegistry) => Promise<void>) => async () => {
    await withRegistry(connection, work);
    refreshCallability();
  };
  return {
    setProjectKey: over((registry) => setProjectKey(askForKey, registry)),
    removeProjectKey: over((registry) => removeProjectKey(keys, policies, registry)),
    checkProjectKey: over((registry) => checkProjectKey(keys, policies, registry)),
  } satisfies Partial<CommandHandlers>;
}

async function setProjectKey(
  askForKey: ProjectKeyParts["askForKey"],
  registry: ConnectedRegistry,
): Promise<void> {
  const key = await askForKey(registry);
  if (key === undefined) return;
  const name = labelText(registry.name, 100);
  vscode.window.setStatusBarMessage(vscode.l10n.t("$(key) Project Key set for {0}.", name), 5000);
}

async function removeProjectKey(
  keys: ProjectKeys,
  policies: PolicyCache,
  registry: ConnectedRegistry,
): Promise<void> {
  const { name } = registry;
  const title = vscode.l10n.t("Reading the Project Key");
  const found = await withWaiting(title, keys.examine(registry));
  if (found === undefined) return;
  if (found.kind === "none") {
    const message = vscode.l10n.t("There is no Project Key for {0}.", name);
    void vscode.window.showInformationMessage(message);
    return;
  }
  const remove = vscode.l10n.t("Remove");
  const answer = await vscode.window.showWarningMessage(
    notificationText(vscode.l10n.t("Remove the Project Key for {0}?", name)),
    {
      modal: true,
      detail: vscode.l10n.t("To invoke skills there again, you need to paste it again."),
    },
    remove,
  );
  if (answer !== remove) return;
  try {
    await keys.remove(registry);
    await policies.forget(registry);
  } catch {
    const wasOfSession = found.kind === "key" && found.keeping === "sessionOnly";
    void vscode.window.showErrorMessage(
      wasOfSession
        ? vscode.l10n.t(
            "The Project Key for {0} was removed from this window. The editor's secret storage does not respond, so a copy may remain there.",
            name,
          )
        : vscode.l10n.t(
            "The Project Key for {0} could not be removed: the editor's secret storage does not respond.",
            name,
          ),
    );
    return;
  }
  const message = vscode.l10n.t("The Project Key for {0} was removed.", name);
  void vscode.window.showInformationMessage(message);
}
