import { leftOfBudget } from "../../core/project/budget";
import { installOf, isKeyElsewhere } from "../../core/project/project";
import type { CurrentProject } from "./currentProject";

/**
 * Reads the least that is left of the project's budget for a skill, in hundredths. Undefined where it is unknown, or
 * the key belongs to another project. Never rejects.
 */
export async function budgetLeft(
  project: CurrentProject,
  slug: string,
  key: string | undefined,
): Promise<number | undefined> {
  const who = await project.remembered();
  if (who === undefined) return undefined;
  await project.ready();
  const { state } = project;
  if (state.kind !== "project" || isKeyElsewhere(state.detail, key ?? "")) return undefined;
  const read = await who.routes.project(who.chosen.slug, new AbortController().signal);
  return read.ok ? leftOfBudget(installOf(read.value, slug)) : undefined;
}
