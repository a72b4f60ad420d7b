import type { Language } from "../text/language";
import { oneLine } from "../text/plainText";

/** The profile in records of the command line and of the servers that it starts. */
export const commandLineProfile = "command line";

/**
 * Names an editor with its profile, such as `Visual Studio Code` or `Visual Studio Code, profile -4f2a91c`. Derives it
 * from the folder with the extension's data, since extensions learn neither a profile's name nor its ID.
 */
export function editorProfile(editor: string, storagePath: string): string {
  const [, id] = /[\\/]profiles[\\/]([^\\/]+)[\\/]globalStorage[\\/]/.exec(storagePath) ?? [];
  return oneLine(id === undefined ? editor : `${editor}, profile ${id}`, 100);
}

/** Names a record's profile for people. */
export function profileText(profile: string, { t }: Language): string {
  return profile === commandLineProfile ? t("command line") : profile;
}
