import * as vscode from "vscode";
import { httpsUrl } from "../../core/registry/registryOrigin";
import { showNoConnection } from "../messages/showNotice";
import type { ConnectedRegistry, RegistryConnection } from "./registryConnection";

/** Runs an action with the registry in use; where there is none, shows why and offers another. */
export async function withRegistry(
  connection: RegistryConnection,
  work: (registry: ConnectedRegistry) => Promise<void>,
): Promise<void> {
  const connected = await connection.current();
  if (connected.ok) await work(connected.registry);
  else void showNoConnection(connected.problem);
}

/** Opens a registry's own site in the browser, after asking; an address that is not https is not opened. */
export async function openRegistrySite({ origin }: ConnectedRegistry): Promise<void> {
  const address = httpsUrl(origin);
  if (address === undefined) return;
  const open = vscode.l10n.t("Open");
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t("Open the registry in the browser?"),
    { modal: true, detail: address },
    open,
  );
  if (answer === open) await vscode.env.openExternal(vscode.Uri.parse(address, true));
}
