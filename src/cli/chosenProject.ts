import { exitCodes } from "../core/findings/report";
import { registryFailureText } from "../core/registry/registryFailure";
import { english } from "../core/text/language";
import { oneLine } from "../core/text/plainText";
import type { CommandOption, Given } from "./command";
import type { OpenRegistry, SignedIn } from "./openRegistry";

/** The option that names a project. */
export const projectOption: Readonly<Record<string, CommandOption>> = {
  project: { value: "SLUG", text: "The project. Default: the only one there is." },
};

/** A project that somebody signed in works with, or why there is none, with the exit code for that. */
export type ChosenProject =
  | { readonly isChosen: true; readonly slug: string; readonly who: SignedIn }
  | { readonly isChosen: false; readonly why: string; readonly exitCode: number };

/** A registry lists no more; what is not in a list that long may be there all the same. */
const maxListed = 100;

/** Finds the project that `--project` names, else the only one. */
export async function chosenProject(
  registry: OpenRegistry,
  given: Given,
  signal: AbortSignal,
): Promise<ChosenProject> {
  const none = (why: string, exitCode: number = exitCodes.broken) =>
    ({ isChosen: false, why, exitCode }) as const;
  const who = registry.signedIn();
  if (who === undefined) return none("Nobody is signed in: set SKILL_REGISTRY_USER_TOKEN.");
  const projects = await who.routes.projects(signal);
  if (!projects.ok) {
    const reason = oneLine(registryFailureText(projects.failure, english), 500);
    return none(`The projects could not be read. ${reason}`, exitCodes.unknown);
  }
  const named = given.text("project");
  if (named !== undefined) {
    const isThere = projects.value.some(({ slug }) => slug === named);
    if (isThere || projects.value.length >= maxListed) return { isChosen: true, slug: named, who };
    return none(`There is no project "${oneLine(named, 60)}".`, exitCodes.nothing);
  }
  const [only, ...others] = projects.value;
  if (only === undefined) return none("There is no project yet.", exitCodes.nothing);
  if (others.length > 0) return none("Name the project with --project.");
  return { isChosen: true, slug: only.slug, who };
}
