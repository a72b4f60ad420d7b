/** What the page keeps over hiding and a reload of the window, so that it opens as it was left. */
export interface PageState {
  readonly slug: string;
  /** The version that was chosen; empty for the registry's choice. */
  readonly version: string;
  readonly tab: PageTab;
  readonly scrollTop: number;
}

/** A tab of the page. */
export type PageTab = (typeof pageTabs)[number];

/** The tabs in the order they are shown. */
export const pageTabs = [
  "overview",
  "input",
  "output",
  "examples",
  "versions",
  "manifest",
] as const;

/** Reads a kept state, which may be from another version of the page. Undefined where it names no skill. */
export function readPageState(value: unknown): PageState | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { slug, version, tab, scrollTop } = value as Record<keyof PageState, unknown>;
  if (typeof slug !== "string" || slug === "" || slug.length > 200) return undefined;
  return {
    slug,
    version: typeof version === "string" && version.length <= 200 ? version : "",
    tab: pageTabs.find((name) => name === tab) ?? "overview",
    scrollTop: typeof scrollTop === "number" && scrollTop > 0 ? scrollTop : 0,
  };
}

/** What the page of a comparison keeps over hiding and a reload of the window. */
export interface ComparisonState {
  /** Two to four. */
  readonly slugs: readonly string[];
  /** True where rows that are the same are left out. */
  readonly onlyDifferences: boolean;
  readonly scrollTop: number;
}

/** The fewest skills that can be compared. */
export const minCompared = 2;

/** The most skills that are compared: more would not fit side by side. */
export const maxCompared = 4;

/** Reads a kept state, which may be from another version of the page. Undefined where it names too few or too many skills. */
export function readComparisonState(value: unknown): ComparisonState | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { slugs, onlyDifferences, scrollTop } = value as Record<keyof ComparisonState, unknown>;
  if (!Array.isArray(slugs)) return undefined;
  const fit = slugs.every((slug) => typeof slug === "string" && slug !== "" && slug.length <= 200);
  const count = new Set(slugs).size;
  if (!fit || count !== slugs.length || count < minCompared || count > maxCompared)
    return undefined;
  return {
    slugs,
    onlyDifferences: onlyDifferences === true,
    scrollTop: typeof scrollTop === "number" && scrollTop > 0 ? scrollTop : 0,
  };
}
