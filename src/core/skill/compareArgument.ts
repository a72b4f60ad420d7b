/** What a comparison starts from: the skills to show, or those to choose more for. */
export interface CompareArgument {
  readonly slugs: readonly string[];
  /** True where these are enough and nothing is to be asked. */
  readonly enough: boolean;
}

/**
 * Reads what the command to compare is meant for: a list of slugs, `{ start: slugs }` to choose
 * more, or rows of the view (`option` holds all that are selected). `slugOf` reads one of them.
 */
export function compareArgument(
  argument: unknown,
  option: unknown,
  slugOf: (value: unknown) => string | undefined,
): CompareArgument {
  const start = isStart(argument) ? argument.start : undefined;
  const rows = Array.isArray(option) && option.length > 1 ? option : undefined;
  const given = start ?? (Array.isArray(argument) ? argument : (rows ?? [argument]));
  const slugs = given
    .slice(0, maxRead)
    .map(slugOf)
    .filter((slug) => slug !== undefined);
  const different = [...new Set(slugs)].slice(0, 4);
  return { slugs: different, enough: start === undefined && different.length >= 2 };
}

const maxRead = 100;

function isStart(value: unknown): value is { readonly start: readonly unknown[] } {
  return (
    typeof value === "object" && value !== null && "start" in value && Array.isArray(value.start)
  );
}
