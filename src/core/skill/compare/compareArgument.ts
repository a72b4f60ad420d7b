/** What a comparison starts from: the skills to show, or those to choose more or fewer from. */
export interface CompareArgument {
  readonly slugs: readonly string[];
  /** True where these can stand side by side and nothing is to be asked. */
  readonly enough: boolean;
}

const minCompared = 2;
const maxCompared = 4;
const maxRead = 100;

/**
 * Reads what the command to compare is meant for: a list of slugs, `{ start: slugs }` to choose
 * more, or rows of the view (`option` holds all that are selected); with nothing given, `selected`
 * rows. `slugOf` reads one of them; what it cannot read, such as a group's row, is left out.
 */
export function compareArgument(
  argument: unknown,
  option: unknown,
  selected: readonly unknown[],
  slugOf: (value: unknown) => string | undefined,
): CompareArgument {
  const start = isStart(argument) ? argument.start : undefined;
  const given = start ?? rowsOf(argument, option) ?? selected;
  const slugs = given
    .slice(0, maxRead)
    .map(slugOf)
    .filter((slug) => slug !== undefined);
  const different = [...new Set(slugs)];
  const fit = different.length >= minCompared && different.length <= maxCompared;
  return { slugs: different, enough: start === undefined && fit };
}

function rowsOf(argument: unknown, option: unknown): readonly unknown[] | undefined {
  if (Array.isArray(argument)) return argument;
  if (argument === undefined) return undefined;
  return Array.isArray(option) && option.length > 1 ? option : [argument];
}

function isStart(value: unknown): value is { readonly start: readonly unknown[] } {
  return (
    typeof value === "object" && value !== null && "start" in value && Array.isArray(value.start)
  );
}
