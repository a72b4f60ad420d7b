import { stat } from "node:fs/promises";
import { homedir, userInfo } from "node:os";
import { dirname, isAbsolute, join } from "node:path";

/** The environment variable with the folder that `machineFolder` and `configFolder` return. */
export const homeVariable = "SKILL_REGISTRY_HOME";

/** The facts about a program that the folder depends on. */
interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly home: string;
}

/**
 * Returns the folder for the invocations and limits that all programs of this machine share. It is the absolute path in
 * `SKILL_REGISTRY_HOME`, or the platform's data folder as `env-paths` defines it. Throws the system's error if neither
 * that variable nor a home folder is known.
 */
export function machineFolder(
  env: Readonly<Record<string, string | undefined>>,
  surroundings?: Surroundings,
): string {
  return ownFolder(env, surroundings, (home) => ({
    windows: join(named(env["LOCALAPPDATA"]) ?? join(home, "AppData", "Local"), name, "Data"),
    others: join(named(env["XDG_DATA_HOME"]) ?? join(home, ".local", "share"), name),
  }));
}

/**
 * Returns the folder for a person's decisions on this machine. It is the absolute path in `SKILL_REGISTRY_HOME`, or the
 * platform's configuration folder.
 */
export function configFolder(
  env: Readonly<Record<string, string | undefined>>,
  surroundings?: Surroundings,
): string {
  return ownFolder(env, surroundings, (home) => ({
    windows: join(named(env["APPDATA"]) ?? join(home, "AppData", "Roaming"), name),
    others: join(named(env["XDG_CONFIG_HOME"]) ?? join(home, ".config"), name),
  }));
}

/** Returns whether `SKILL_REGISTRY_HOME` is ignored because its path is not absolute. */
export function hasRelativeHome(env: Readonly<Record<string, string | undefined>>): boolean {
  const own = env[homeVariable];
  return Boolean(own) && named(own) === undefined;
}

const name = "skill-registry";

/** Returns the folder in `SKILL_REGISTRY_HOME`, else the platform's. macOS has one folder for both. */
function ownFolder(
  env: Readonly<Record<string, string | undefined>>,
  surroundings: Surroundings | undefined,
  foldersIn: (home: string) => { readonly windows: string; readonly others: string },
): string {
  const own = named(env[homeVariable]);
  if (own !== undefined) return own;
  const { platform, home } = surroundings ?? { platform: process.platform, home: homeFolder() };
  if (platform === "darwin") return join(home, "Library", "Application Support", name);
  const { windows, others } = foldersIn(home);
  return platform === "win32" ? windows : others;
}

/**
 * Ignores a relative path. It would lead into the repository in which a program was started. Files of that repository
 * could then give consent in a person's name.
 */
function named(folder: string | undefined): string | undefined {
  return folder !== undefined && isAbsolute(folder) ? folder : undefined;
}

/** Returns the user's home. Throws the system's error if it is unknown. */
export function homeFolder(): string {
  return named(homedir()) ?? userInfo().homedir;
}

/**
 * Returns whether only this user may write a file and its folder. Otherwise, others could write consent or commands in
 * this user's name. True on Windows, where the user's profile has these permissions. False if either is missing.
 */
export async function isWrittenByUserAlone(path: string): Promise<boolean> {
  const uid = process.getuid?.();
  if (uid === undefined) return true;
  const both = await Promise.all([stat(path), stat(dirname(path))]).catch(() => undefined);
  return both?.every((found) => found.uid === uid && (found.mode & 0o022) === 0) ?? false;
}

/** Returns the folder for audit entries that the collector rejected permanently. */
export function rejectedFolder(folder: string): string {
  return join(folder, "rejected");
}
