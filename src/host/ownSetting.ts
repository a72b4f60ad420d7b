/** The values of a setting by scope. */
export interface SettingValues {
  readonly defaultValue?: unknown;
  /** The user's own settings. */
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

/**
 * Returns the effective value of a setting: the user's own, else the default. Values of a workspace or folder never
 * count, since they could redirect a key or remove a limit. A value that `isUsable` rejects counts as unset; undefined
 * if no usable value remains.
 */
export function ownSetting<Value>(
  found: SettingValues | undefined,
  isUsable: (value: unknown) => value is Value,
): Value | undefined {
  return [found?.globalValue, found?.defaultValue].find(isUsable);
}
