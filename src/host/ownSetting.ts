/** The values of a setting, one for each scope. */
export interface SettingValues {
  readonly defaultValue?: unknown;
  /** The user's own settings. */
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

/**
 * Returns the effective value of a setting: the user's own, else the default. Values of a workspace or folder
 * never count, whatever the setting's scope: they could redirect a key or lift a limit. A value that
 * `isUsable` rejects counts as not set; undefined where nothing usable is left.
 */
export function ownSetting<Value>(
  found: SettingValues | undefined,
  isUsable: (value: unknown) => value is Value,
): Value | undefined {
  return [found?.globalValue, found?.defaultValue].find(isUsable);
}
