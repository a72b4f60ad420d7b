import { endsSession, isWrongRole } from "../../core/account/sessions";
import { CommandError } from "../../core/findings/commandError";
import { exitCodes } from "../../core/findings/report";
import type { KeyReading, ListedSkill } from "../../core/invocation/permission/canInvoke";
import { hasKey, installOf } from "../../core/project/project";
import { readProjectKey, type UserToken, userTokenVariable } from "../../core/registry/credential";
import { type RegistryFailure, registryFailureText } from "../../core/registry/registryFailure";
import { isSameVersion } from "../../core/skill/isNewerVersion";
import { english } from "../../core/text/language";
import { oneLine } from "../../core/text/plainText";
import { isRecent } from "../../engine/attempt";
import type { RegistryClient } from "../../registry/registryClient";
import type { SkillPin } from "../../registry/routes/readSkill";
import { pinIn } from "../../registry/workspace/projectReading";
import type { WorkspaceRoutes } from "../../registry/workspace/workspaceRoutes";
import type { OptionTable, OptionValues } from "../options";

/** A signed-in user and their routes. */
export interface SignedIn {
  readonly token: UserToken;
  readonly routes: WorkspaceRoutes;
  /** The user's registry, by its displayed name. */
  readonly where: string;
}

/** Returns the signed-in user; undefined without a user token. Throws a `CommandError` for an invalid token. */
type FindSignedIn = () => SignedIn | undefined;

/** The option that names a project. */
export const projectOption = {
  project: {
    value: "SLUG",
    text: "The project, read with the user token. Default: the only one you have.",
    group: "Registry",
  },
} as const satisfies OptionTable;

/** The value of `projectOption`. */
export type ProjectValues = OptionValues<typeof projectOption>;

/** The project of the signed-in user, or why there is none, with the exit code for that. */
type ChosenProject =
  | { readonly isChosen: true; readonly slug: string; readonly who: SignedIn }
  | {
      readonly isChosen: false;
      readonly why: string;
      readonly exitCode: number;
      /** Whether the account has several projects and the command names none. */
      readonly isAmbiguous: boolean;
    };

/** The maximum number of projects that a registry lists; others may exist. */
const maxListed = 100;

/** Finds the project of `--project`, or the only one. */
export async function chosenProject(
  { signedIn, window }: { readonly signedIn: FindSignedIn; readonly window?: unknown },
  { project: named }: Partial<ProjectValues>,
  signal: AbortSignal,
): Promise<ChosenProject> {
  const none = (why: string, exitCode: number = exitCodes.broken) =>
    ({ isChosen: false, why, exitCode, isAmbiguous: false }) as const;
  const who = signedIn();
  if (who === undefined) {
    const step = `Set ${userTokenVariable}${window === undefined ? "" : ", and add --no-window"}.`;
    return none(`Not signed in. ${step}`);
  }
  const projects = await who.routes.projects(signal);
  if (!projects.ok) {
    signal.throwIfAborted();
    return notReadable(projects.failure, who.where);
  }
  if (named !== undefined) {
    const isThere = projects.value.some(({ slug }) => slug === named);
    if (isThere || projects.value.length >= maxListed) return { isChosen: true, slug: named, who };
    return none(`There is no project "${oneLine(named, 60)}".`, exitCodes.nothing);
  }
  const [only, ...others] = projects.value;
  if (only === undefined) return none("You have no project yet.", exitCodes.nothing);
  if (others.length > 0) {
    return { ...none("You have several projects. Choose one with --project."), isAmbiguous: true };
  }
  return { isChosen: true, slug: only.slug, who };
}

/**
 * Reads how many invocations of each skill the chosen project allows per minute. Resolves to a function that returns a
 * skill's limit; undefined if it is unknown, for example without a signed-in user. The function reads again after five
 * minutes; if that fails, it uses the previous data. Rejects with a `CommandError` if `--project` names an unreadable
 * project.
 */
export async function rateLimits(
  registry: { readonly signedIn: FindSignedIn },
  options: Partial<ProjectValues>,
  signal: AbortSignal,
): Promise<(skill: string) => Promise<number | undefined>> {
  const read = () => readRateLimits(registry, options, signal);
  let readAt = performance.now();
  let limits = Promise.resolve(await read());
  return async (skill) => {
    if (!isRecent(readAt)) {
      readAt = performance.now();
      const before = limits;
      limits = read().then(
        (now) => now ?? before,
        () => before,
      );
    }
    return (await limits)?.get(skill)?.row?.rateLimitPerMinute;
  };
}

async function readRateLimits(
  registry: { readonly signedIn: FindSignedIn },
  options: Partial<ProjectValues>,
  signal: AbortSignal,
) {
  const isNamed = options.project !== undefined;
  const project = await chosenProject(registry, options, signal).catch((error: unknown) => {
    if (isNamed) throw error;
    return undefined;
  });
  if (isNamed && project?.isChosen === false) throw new CommandError(project.why, project.exitCode);
  if (project?.isChosen !== true) return undefined;
  const policies = await project.who.routes.policies(project.slug, signal);
  return policies.ok ? policies.value : undefined;
}

/**
 * Describes why the projects could not be read. The exit code depends on whether trying again helps: not for an expired
 * token, nor for a role without projects.
 */
function notReadable(failure: RegistryFailure, where: string) {
  const reason = oneLine(registryFailureText(failure, english), 500);
  const [why, exitCode] = endsSession(failure)
    ? [
        `The user token is not accepted by ${where}. Set ${userTokenVariable} to a new one.`,
        exitCodes.broken,
      ]
    : isWrongRole(failure)
      ? [`Your role at ${where} has no projects. ${reason}`, exitCodes.broken]
      : [`The projects at ${where} could not be read. ${reason}`, exitCodes.unknown];
  return { isChosen: false, why, exitCode, isAmbiguous: false } as const;
}

/** The sources for the versions that a project runs. */
interface PinSources {
  readonly client: RegistryClient;
  /** The configured text for a Project Key; undefined if invocations are sent without one. */
  readonly key: string | undefined;
  /** Reads the registry's list for that key; see `OpenRegistry`. */
  readonly keyList: (signal: AbortSignal) => Promise<KeyReading | undefined>;
  readonly signedIn: FindSignedIn;
}

/**
 * Finds versions that a project runs. Uses the registry's list for the Project Key, since invocations use that key.
 * Without such a list, and for test runs, uses the project of the signed-in user. Reads each list once.
 */
export function projectPins(
  { client, key, keyList, signedIn }: PinSources,
  options: Partial<ProjectValues>,
  note: (text: string) => void,
): (slug: string, signal: AbortSignal) => Promise<ProjectPin | undefined> {
  const reading = readProjectKey(key ?? "");
  let ofKey: ReturnType<typeof keyInstalls> | undefined;
  let ofUser: ReturnType<typeof readUserPins> | undefined;
  return async (slug, signal) => {
    ofKey ??= reading.ok ? keyInstalls(keyList(signal)) : Promise.resolve(undefined);
    const installs = await ofKey;
    const listed = installs?.skills.get(slug);
    if (reading.ok && listed?.version !== undefined) {
      const { version, projectSlug = "" } = listed;
      const routes = projectSlug === "" ? undefined : signedIn()?.routes;
      const read = async (stop: AbortSignal) => {
        // Prefer the copy that the user can read, since the key's list lacks permissions and runtime.
        const own = await routes?.pinnedSkill(projectSlug, slug, stop);
        const isSame = own?.ok === true && isSameVersion(own.value.summary.version, version);
        return isSame ? own : client.listedSkill(reading.key, slug, stop);
      };
      const readPrice = async (stop: AbortSignal) => {
        const detail = await routes?.project(projectSlug, stop);
        if (detail?.ok !== true) return { value: undefined, answered: false };
        return { value: installOf(detail.value, slug)?.price, answered: true };
      };
      return {
        ...{ version, project: projectSlug, slug: projectSlug, isOfKey: true, read },
        ...(routes !== undefined && { readPrice }),
      };
    }
    if (installs?.isComplete) return undefined;
    ofUser ??= readUserPins({ key, signedIn }, options, note, signal);
    return (await ofUser)?.(slug);
  };
}

/** The version of a skill that a project runs. */
export interface ProjectPin extends SkillPin {
  /** The project's slug; empty if the registry does not name it. */
  readonly slug: string;
  /** Whether this is certainly the project of the Project Key. The signed-in user's project may be another. */
  readonly isOfKey: boolean;
}

/** The registry's list for a Project Key, by slug. */
interface KeyInstalls {
  readonly skills: ReadonlyMap<string, ListedSkill>;
  /** Whether the list is complete: a skill that it lacks is not installed. */
  readonly isComplete: boolean;
}

async function keyInstalls(
  list: Promise<KeyReading | undefined>,
): Promise<KeyInstalls | undefined> {
  const reading = await list;
  if (reading?.kind !== "accepted") return undefined;
  return { skills: new Map(reading.listed), isComplete: reading.complete };
}

/**
 * Reads the versions of the signed-in user's project. Undefined if the project is unknown; if the user has several
 * projects, `note` receives a message. Rejects with a `CommandError` if the project of `--project` cannot be read.
 */
async function readUserPins(
  { key, signedIn }: Pick<PinSources, "key" | "signedIn">,
  options: Partial<ProjectValues>,
  note: (text: string) => void,
  signal: AbortSignal,
): Promise<((slug: string) => ProjectPin | undefined) | undefined> {
  const project = await chosenProject({ signedIn }, options, signal);
  if (!project.isChosen) {
    if (options.project !== undefined) throw new CommandError(project.why, project.exitCode);
    if (project.isAmbiguous) {
      note(
        "You have several projects: versions are those that the registry shows. Choose a project with --project.\n",
      );
    }
    return undefined;
  }
  const { routes, where } = project.who;
  const detail = await routes.project(project.slug, signal);
  if (!detail.ok) {
    if (options.project === undefined) return undefined;
    throw new CommandError(notReadable(detail.failure, where).why, exitCodes.unknown);
  }
  const isOfKey = key !== undefined && hasKey(detail.value, key);
  return (slug) => {
    const pin = pinIn(detail.value, slug, (stop) => routes.pinnedSkill(project.slug, slug, stop));
    return pin && { ...pin, slug: project.slug, isOfKey };
  };
}
