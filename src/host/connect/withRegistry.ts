import * as vscode from "vscode";
import { type WebPage, webPageAddress } from "../../core/registry/webPages";
import { openInBrowser } from "../ui/messages";
import { withWaiting } from "../ui/progress";
import { showNoConnection } from "../ui/showNotice";
import type { ConnectedRegistry, RegistryConnection } from "./registryConnection";

/**
 * Returns the registry in use. If there is none, shows why and offers another. Undefined then, and if the user
 * canceled.
 */
export async function registryInUse(
  connection: Pick<RegistryConnection, "current">,
): Promise<ConnectedRegistry | undefined> {
  const connected = await withWaiting(vscode.l10n.t("Connecting"), () => connection.current());
  if (connected?.ok === false) void showNoConnection(connected.problem);
  return connected?.ok ? connected.registry : undefined;
}

/** Runs an action with the registry in use. */
export async function withRegistry(
  connection: RegistryConnection,
  work: (registry: ConnectedRegistry) => Promise<void>,
): Promise<void> {
  const registry = await registryInUse(connection);
  if (registry !== undefined) await work(registry);
}

/** Returns the address of a page of a registry's web application; undefined for none. */
export function registryPage(
  { origin, client }: ConnectedRegistry,
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
