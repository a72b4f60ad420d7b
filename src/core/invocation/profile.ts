import type { Language } from "../text/language";
import { oneLine } from "../text/plainText";

/** The profile of what the command line invokes, and the servers that it starts. */
export const commandLineProfile = "command line";

/**
 * Names an editor with its profile, such as `Visual Studio Code` or `Visual Studio Code, profile -4f2a91c`, by the folder
 * in which it keeps an extension's data: extensions are told neither the name of a profile nor its ID.
 */
export function editorProfile(editor: string, storagePath: string): string {
  const [, id] = /[\\/]profiles[\\/]([^\\/]+)[\\/]globalStorage[\\/]/.exec(storagePath) ?? [];
  return oneLine(id === undefined ? editor : `${editor}, profile ${id}`, 100);
}

/** Names a profile of a record for people. */
export function profileText(profile: string, { t }: Language): string {
  return profile === commandLineProfile ? t("command line") : profile;
}
