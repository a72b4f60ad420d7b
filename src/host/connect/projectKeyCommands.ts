import * as vscode from "vscode";
import { labelText } from "../../core/text/plainText";
import { presentNoConnection } from "../words/present";
import { askForProjectKey } from "./askForProjectKey";
import type { ProjectKeys } from "./projectKeys";
import type { RegistryConnection } from "./registryConnection";

/** Asks for the Project Key of the registry in use and keeps it. */
export async function setProjectKey(
  keys: ProjectKeys,
  connection: RegistryConnection,
): Promise<void> {
  const connected = await connection.current();
  if (!connected.ok) return presentNoConnection(connected.problem);
  const key = await askForProjectKey(keys, connected.registry);
  if (key !== undefined) {
    const name = labelText(connected.registry.name, 100);
    vscode.window.setStatusBarMessage(vscode.l10n.t("$(key) Project Key set for {0}.", name), 5000);
  }
}

/** Forgets the Project Key of the registry in use. */
export async function removeProjectKey(
  keys: ProjectKeys,
  connection: RegistryConnection,
): Promise<void> {
  const connected = await connection.current();
  if (!connected.ok) return presentNoConnection(connected.problem);
  const { registry } = connected;
  if ((await keys.find(registry)) === undefined) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t("There is no Project Key for {0}.", registry.name),
    );
    return;
  }
  try {
    await keys.remove(registry);
  } catch {
    void vscode.window.showErrorMessage(
      vscode.l10n.t(
        "The Project Key for {0} could not be removed: the editor's secret storage does not answer.",
        registry.name,
      ),
    );
    return;
  }
  void vscode.window.showInformationMessage(
    vscode.l10n.t("The Project Key for {0} was removed.", registry.name),
  );
}
