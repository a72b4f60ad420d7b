import * as vscode from "vscode";
import { httpsUrl } from "../../core/text/httpsUrl";
import type { ConnectedRegistry } from "./registryConnection";

/** Opens a registry's own site in the browser, after asking; an address that is not https is not opened. */
export async function openRegistry({ origin }: ConnectedRegistry): Promise<void> {
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
