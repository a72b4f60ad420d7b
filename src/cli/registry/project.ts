import { endsSession, isWrongRole } from "../../core/account/sessions";
import { CommandError } from "../../core/findings/commandError";
import { exitCodes } from "../../core/findings/report";
import type { ListedSkill } from "../../core/invocation/permission/canInvoke";
import { hasKey, installOf } from "../../core/project/project";
import { readProjectKey, type UserToken, userTokenVariable } from "../../core/registry/credential";
import { type RegistryFailure, registryFailureText } from "../../core/registry/registryFailure";
import { isSameVersion } from "../../core/skill/isNewerVersion";
import { english } from "../../core/text/language";
import { oneLine } from "../../core/text/plainText";
import type { RegistryClient } from "../../registry/registryClient";
import type { SkillPin } from "../../registry/routes/readSkill";
import { pinIn } from "../../registry/workspace/projectReading";
import type { WorkspaceRoutes } from "../../registry/workspace/workspaceRoutes";
import type { OptionTable, OptionValues } from "../options";

/** Somebody signed in, and what they may ask. */
export interface SignedIn {
  readonly token: UserToken;
  readonly routes: WorkspaceRoutes;
  /** The registry that they are signed in to, for people. */
  readonly where: string;
}

/** Who is signed in; undefined without a user token. Throws a `CommandError` for one that is none. */
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

/** A project that somebody signed in works with, or why there is none, with the exit code for that. */
type ChosenProject =
  | { readonly isChosen: true; readonly slug: string; readonly who: SignedIn }
  | {
      readonly isChosen: false;
      readonly why: string;
      readonly exitCode: number;
      /** Whether there are several, and none is named. */
      readonly isAmbiguous: boolean;
    };

/** A registry lists at most this many; others may exist. */
const maxListed = 100;

/** Finds the project that `--project` names, else the only one. */
export async function chosenProject(
  { signedIn }: { readonly signedIn: FindSignedIn },
  { project: named }: Partial<ProjectValues>,
  signal: AbortSignal,
): Promise<ChosenProject> {
  const none = (why: string, exitCode: number = exitCodes.broken) =>
    ({ isChosen: false, why, exitCode, isAmbiguous: false }) as const;
  const who = signedIn();
  if (who === undefined) return none(`Not signed in. Set ${userTokenVariable}.`);
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
 * Reads how many invocations of each skill the chosen project allows in a minute. Resolves to what finds that of a
 * skill: undefined where it is not known, as without a signed-in user who can see it. Rejects with a `CommandError` where
 * `--project` names one that cannot be read.
 */
export async function readRateLimits(
  registry: { readonly signedIn: FindSignedIn },
  options: Partial<ProjectValues>,
  signal: AbortSignal,
): Promise<(skill: string) => number | undefined> {
  const isNamed = options.project !== undefined;
  const project = await chosenProject(registry, options, signal).catch((error: unknown) => {
    if (isNamed) throw error;
    return undefined;
  });
  if (isNamed && project?.isChosen === false) throw new CommandError(project.why, project.exitCode);
  if (project?.isChosen !== true) return () => undefined;
  const policies = await project.who.routes.policies(project.slug, signal);
  return (skill) => (policies.ok ? policies.value.get(skill)?.row?.rateLimitPerMinute : undefined);
}

/** An expired token and a role without projects are not solved by trying again. */
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

/** What the versions that a project runs are found by. */
interface PinSources {
  readonly client: RegistryClient;
  /** The text to take for a Project Key; undefined where invocations are sent without one. */
  readonly key: string | undefined;
  readonly signedIn: FindSignedIn;
}

/**
 * Finds versions that a project runs: the Project Key's, as the registry lists them for the key, since invocations go
 * there; without such a list, and for test runs, those of the signed-in user's project. Each list is read once.
 */
export function projectPins(
  { client, key, signedIn }: PinSources,
  options: Partial<ProjectValues>,
  note: (text: string) => void,
): (slug: string, signal: AbortSignal) => Promise<ProjectPin | undefined> {
  const reading = readProjectKey(key ?? "");
  let ofKey: ReturnType<typeof readKeyInstalls> | undefined;
  let ofUser: ReturnType<typeof readUserPins> | undefined;
  return async (slug, signal) => {
    ofKey ??= reading.ok
      ? readKeyInstalls(client, reading.key, signal)
      : Promise.resolve(undefined);
    const installs = await ofKey;
    const listed = installs?.skills.get(slug);
    if (reading.ok && listed?.version !== undefined) {
      const { version, projectSlug = "" } = listed;
      const routes = projectSlug === "" ? undefined : signedIn()?.routes;
      const read = async (stop: AbortSignal) => {
        // The user's own copy has permissions and runtime too.
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
  /** The project's; empty where the registry does not say. */
  readonly slug: string;
  /** Whether it is certainly the project of the Project Key: that of a signed-in user may be another one. */
  readonly isOfKey: boolean;
}

/** What a registry lists for a Project Key, by slug. */
interface KeyInstalls {
  readonly skills: ReadonlyMap<string, ListedSkill>;
  /** True where a skill that is not listed is not installed. */
  readonly isComplete: boolean;
}

async function readKeyInstalls(
  client: RegistryClient,
  key: string,
  signal: AbortSignal,
): Promise<KeyInstalls | undefined> {
  const reading = await client.readKey(key, signal);
  if (reading.kind !== "accepted") return undefined;
  return { skills: new Map(reading.listed), isComplete: reading.complete };
}

/**
 * Undefined where it is not known which project the signed-in user works with, which is said where there are several.
 * Rejects with a `CommandError` where `--project` names one that cannot be read.
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
