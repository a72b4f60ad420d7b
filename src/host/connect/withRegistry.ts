import * as vscode from "vscode";
import { type WebPage, webPageAddress } from "../../core/registry/webPages";
import { openInBrowser } from "../ui/messages";
import { showNoConnection } from "../ui/showNotice";
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

/** Returns the address of a page of a registry's web application; undefined where there is none to open. */
export function registryPage(
  { origin, client }: Pick<ConnectedRegistry, "origin" | "client">,
  page: WebPage,
): string | undefined {
  return webPageAddress({ origin, webOrigin: client.webOrigin }, page);
}

/** Opens a page of a registry's web application in the browser, after asking. */
export async function openRegistryPage(registry: ConnectedRegistry, page: WebPage): Promise<void> {
  const address = registryPage(registry, page);
  if (address === undefined) return;
  await openInBrowser(vscode.l10n.t("Open the registry in the browser?"), address);
}
