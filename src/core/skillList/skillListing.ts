import type { Language } from "../text/language";
import { arrangementText, queryText, unrestrictedQuery } from "./listLabels";
import { readSkillFilters } from "./skillFilters";
import { plainArrangement, readGrouping, readOrder, type SkillArrangement } from "./skillOrder";
import type { SkillQuery } from "./skillQuery";

/** The content and layout of the Skills view. */
export interface SkillListing {
  /** Its `sort` is never set: the arrangement has the order. */
  readonly query: SkillQuery;
  readonly arrangement: SkillArrangement;
}

/** All skills as the registry lists them. */
export const plainListing: SkillListing = {
  query: unrestrictedQuery,
  arrangement: plainArrangement,
};

/** The longest search text that is stored and sent. */
export const maxSearchLength = 200;

/** Reads a stored listing; invalid parts count as not set. */
export function readListing(value: unknown): SkillListing {
  if (typeof value !== "object" || value === null) return plainListing;
  const { text, filters, order, grouping } = value as Readonly<Record<string, unknown>>;
  return {
    query: {
      text: typeof text === "string" ? text.slice(0, maxSearchLength) : "",
      filters: readSkillFilters(filters) ?? {},
    },
    arrangement: {
      order: readOrder(order) ?? plainArrangement.order,
      grouping: readGrouping(grouping) ?? plainArrangement.grouping,
    },
  };
}

/** Writes a listing as `readListing` reads it. */
export function writeListing({ query, arrangement }: SkillListing): object {
  const { text, filters } = query;
  return { text, filters, ...arrangement };
}

/** Formats a listing, such as `“csv” · verified · by name`; empty for the plain list. */
export function listingText({ query, arrangement }: SkillListing, language: Language): string {
  return [queryText(query, language), arrangementText(arrangement, language)]
    .filter(Boolean)
    .join(" · ");
}

/** A search with its filters, order and groups, saved under a name. */
export interface FilterSet {
  readonly name: string;
  readonly listing: SkillListing;
}

/** The maximum number of stored sets. A further one replaces the oldest. */
const maxSets = 50;
/** In characters: as much as a list shows without truncation. */
const maxNameLength = 60;

/** Reads a typed name for a set. Undefined if it is empty. */
export function readSetName(typed: string): string | undefined {
  const name = typed.trim().replaceAll(/\s+/g, " ").slice(0, maxNameLength);
  return name === "" ? undefined : name;
}

/** Stores a set under its name, replacing another of that name. */
export function withSet(sets: readonly FilterSet[], set: FilterSet): readonly FilterSet[] {
  return [...withoutSet(sets, set.name), set].slice(-maxSets);
}

/** Removes the set of that name. */
export function withoutSet(sets: readonly FilterSet[], name: string): readonly FilterSet[] {
  return sets.filter((set) => set.name !== name);
}

/** Reads stored sets. Omits invalid ones. */
export function readFilterSets(value: unknown): readonly FilterSet[] {
  if (!Array.isArray(value)) return [];
  return value.slice(-maxSets).flatMap((item: unknown) => {
    if (typeof item !== "object" || item === null) return [];
    const { name, listing } = item as Readonly<Record<string, unknown>>;
    const readable = typeof name === "string" ? readSetName(name) : undefined;
    return readable === undefined ? [] : [{ name: readable, listing: readListing(listing) }];
  });
}

/** Writes sets for `readFilterSets`. */
export function writeFilterSets(sets: readonly FilterSet[]): readonly object[] {
  return sets.map(({ name, listing }) => ({ name, listing: writeListing(listing) }));
}
