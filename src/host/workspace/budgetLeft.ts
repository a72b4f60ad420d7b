import { leftOfBudget } from "../../core/project/budget";
import { hasKey, installOf } from "../../core/project/project";
import type { ProjectBudget } from "../../engine/gates/places";
import type { CurrentProject } from "./currentProject";

/**
 * Reads the chosen project's budget for a skill. Undefined if the key is not known to belong to that project. Never
 * rejects.
 */
export async function budgetLeft(
  project: Pick<CurrentProject, "remembered" | "ready" | "inChosen">,
  { baseUrl }: { readonly baseUrl: string },
  slug: string,
  key: string,
): Promise<ProjectBudget | undefined> {
  // Nothing is read if nobody chose a project.
  if ((await project.remembered()) === undefined) return undefined;
  await project.ready();
  const at = await project.inChosen();
  if (at === undefined || at.registry.baseUrl !== baseUrl) return undefined;
  if (!hasKey(at.detail, key)) return undefined;
  const { slug: chosen } = at.detail.summary;
  const read = await at.routes.project(chosen, new AbortController().signal);
  const skill = read.ok ? installOf(read.value, slug) : undefined;
  return { project: chosen, leftCents: leftOfBudget(skill) };
}
