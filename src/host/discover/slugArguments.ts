import { isSlug } from "../../core/skill/skill";
import type { SkillEntry } from "../../core/skillList/skillRows";

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

/**
 * Reads which skills a command is meant for: all selected rows (`option`) where it was run on one of
 * several, or else the one it was run on. Empty where it names none, so that the command asks.
 */
export function slugArguments(argument: unknown, option: unknown): readonly string[] {
  const isOnSeveral = argument !== undefined && Array.isArray(option) && option.length > 1;
  const slugs = (isOnSeveral ? option : [argument])
    .map(slugArgument)
    .filter((slug) => slug !== undefined);
  return [...new Set(slugs)];
}
