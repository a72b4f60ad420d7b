import * as vscode from "vscode";
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
    vscode.window.setStatusBarMessage(
      `$(key) Project Key set for ${connected.registry.name}.`,
      5000,
    );
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
    void vscode.window.showInformationMessage(`There is no Project Key for ${registry.name}.`);
    return;
  }
  try {
    await keys.remove(registry);
  } catch {
    void vscode.window.showErrorMessage(
      `The Project Key for ${registry.name} could not be removed: the editor's secret storage does not answer.`,
    );
    return;
  }
  void vscode.window.showInformationMessage(`The Project Key for ${registry.name} was removed.`);
}
