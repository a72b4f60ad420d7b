import { homedir, userInfo } from "node:os";
import { isAbsolute, join } from "node:path";

/** The environment variable that names the folder of `machineFolder`. */
export const homeVariable = "SKILL_REGISTRY_HOME";

/** Where a program runs, as far as the folder depends on it. */
interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly home: string;
}

/**
 * Returns the folder in which every caller of this machine keeps its invocations, and what limits them: the
 * one that `SKILL_REGISTRY_HOME` names by an absolute path, else the platform's folder for data, as `env-paths` knows
 * it. Throws the system's error where neither that nor a home is known.
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
 * Returns the folder of what a person decided on this machine, beside what programs keep there: the one that
 * `SKILL_REGISTRY_HOME` names by an absolute path, else the platform's folder for configuration.
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

/** Returns whether `SKILL_REGISTRY_HOME` names a folder that is not used: by a path that is not absolute. */
export function hasRelativeHome(env: Readonly<Record<string, string | undefined>>): boolean {
  const own = env[homeVariable];
  return Boolean(own) && named(own) === undefined;
}

const name = "skill-registry";

/** The folder that `SKILL_REGISTRY_HOME` names, else the platform's; a Mac has one for whatever programs keep. */
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
 * A folder that is not named from the root of the disk would be one of whatever repository a program is started in,
 * whose files would then agree to what a person has to.
 */
function named(folder: string | undefined): string | undefined {
  return folder !== undefined && isAbsolute(folder) ? folder : undefined;
}

/** Throws the system's error where it knows none. */
function homeFolder(): string {
  return named(homedir()) ?? userInfo().homedir;
}

/** Names the folder of what the collector of the audit export rejected for good, in the folder of this machine. */
export function rejectedFolder(folder: string): string {
  return join(folder, "rejected");
}
