import { slugArgument } from "./slugArgument";

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
