import * as vscode from "vscode";
import { type Settings, settingRows, settingSection } from "./settingRows";

/**
 * Reads all settings from the user's own settings and the defaults. Ignores a workspace's, so that no folder can
 * redirect a key or remove a limit.
 */
export function readSettings(): Settings {
  const section = vscode.workspace.getConfiguration(settingSection);
  const values = Object.entries(settingRows).map(([name, { id, read }]) => [
    name,
    read(section.inspect(id)),
  ]);
  return Object.fromEntries(values) as Settings;
}
