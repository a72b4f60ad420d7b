/** A skill that the user likes, with its name at that time. The name is shown until the registry lists the skill. */
export interface Favorite {
  readonly slug: string;
  readonly name: string;
}

/**
 * The maximum number of favorites per registry. The oldest are dropped, since the editor's state must stay small.
 */
const maxFavorites = 1000;
/** The maximum number of stored characters of a skill's name. */
const maxNameLength = 200;

/** Adds or removes favorites. A skill that is added again takes its new name and the last place. */
export function withFavorites(
  favorites: readonly Favorite[],
  skills: readonly Favorite[],
  isFavorite: boolean,
): readonly Favorite[] {
  const slugs = new Set(skills.map(({ slug }) => slug));
  const others = favorites.filter(({ slug }) => !slugs.has(slug));
  if (!isFavorite) return others;
  const added = skills.map(({ slug, name }) => ({ slug, name: name.slice(0, maxNameLength) }));
  return [...others, ...added].slice(-maxFavorites);
}

/** Reads stored favorites. Omits invalid ones. */
export function readFavorites(value: unknown): readonly Favorite[] {
  if (typeof value !== "object" || value === null) return [];
  const { favorites } = value as Readonly<Record<string, unknown>>;
  if (!Array.isArray(favorites)) return [];
  return favorites.slice(-maxFavorites).flatMap((item: unknown) => {
    if (typeof item !== "object" || item === null) return [];
    const { slug, name } = item as Readonly<Record<string, unknown>>;
    if (typeof slug !== "string" || typeof name !== "string" || slug === "") return [];
    return [{ slug, name }];
  });
}

/** Writes favorites for `readFavorites`. */
export function writeFavorites(favorites: readonly Favorite[]): object {
  return { favorites };
}
