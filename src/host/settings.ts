import * as vscode from "vscode";
import { builtInRegistryName } from "../core/invocation/record/invocationRecord";
import { readRegistryOrigin } from "../core/registry/registryOrigin";
import { type Settings, settingRows, settingSection } from "./settingRows";

/**
 * Reads all settings from the user's own settings and the defaults, never from a workspace, so that
 * no folder can redirect a key or lift a limit.
 */
export function readSettings(): Settings {
  const section = vscode.workspace.getConfiguration(settingSection);
  const values = Object.entries(settingRows).map(([name, { id, read }]) => [
    name,
    read(section.inspect(id)),
  ]);
  return Object.fromEntries(values) as Settings;
}

/** Names the registry in the settings, without connecting to it. Empty for an address that cannot be used. */
export function reviewedRegistryInUse(): string {
  const { baseUrl } = readSettings();
  if (baseUrl === "") return builtInRegistryName;
  const address = readRegistryOrigin(baseUrl);
  return address.ok ? address.value.origin : "";
}

/** Saves the registry's address in the user's settings; empty returns to the built-in registry. */
export async function writeBaseUrl(baseUrl: string): Promise<void> {
  await vscode.workspace
    .getConfiguration(settingSection)
    .update(settingRows.baseUrl.id, baseUrl === "" ? undefined : baseUrl, true);
}
