/** What the editor knows of a setting's values, one for each place it may be written in. */
export interface SettingValues {
  readonly defaultValue?: unknown;
  /** The user's own settings. */
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

/**
 * Answers the value of a setting that counts: the user's own, else the default. What a workspace or a
 * folder says never does, whatever the setting's scope: it could redirect a key or lift a limit. A value
 * that `isUsable` refuses counts as not set; undefined where nothing usable is left.
 */
export function ownSetting<Value>(
  found: SettingValues | undefined,
  isUsable: (value: unknown) => value is Value,
): Value | undefined {
  return [found?.globalValue, found?.defaultValue].find(isUsable);
}
