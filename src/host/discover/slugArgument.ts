import { isSlug } from "../../core/skill/slug";
import type { SkillEntry } from "../../core/skillList/row/skillRows";

/**
 * Reads which skill a command is meant for: a slug, or the row of the Skills view it was run on.
 * Undefined for anything else, so that the command asks.
 */
export function slugArgument(argument: unknown): string | undefined {
  if (typeof argument === "string") return isSlug(argument) ? argument : undefined;
  if (typeof argument !== "object" || argument === null) return undefined;
  const row = argument as Partial<SkillEntry>;
  const slug: unknown = row.kind === "skill" ? row.skill?.slug : undefined;
  return typeof slug === "string" && isSlug(slug) ? slug : undefined;
}
