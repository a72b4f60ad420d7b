import type { Language } from "../text/language";
import { readSkillFilters } from "./filter/skillFilterInput";
import { queryWords, unrestrictedQuery } from "./filter/skillQueryWords";
import { arrangementWords } from "./order/arrangementWords";
import {
  plainArrangement,
  readGrouping,
  readOrder,
  type SkillArrangement,
} from "./order/skillArrangement";
import type { SkillQuery } from "./skillQuery";

/** What the Skills view is asked to show, and how. */
export interface SkillListing {
  /** Without an order: that is the arrangement's. */
  readonly query: SkillQuery;
  readonly arrangement: SkillArrangement;
}

/** All skills as the registry lists them. */
export const plainListing: SkillListing = {
  query: unrestrictedQuery,
  arrangement: plainArrangement,
};

/** The longest search text that is kept and sent. */
export const maxSearchLength = 200;

/** Reads a listing that was stored; what is not as it should be counts as not set. */
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

/** Says what is shown and how, such as `“csv” · verified · by name`; empty for the plain list. */
export function listingWords({ query, arrangement }: SkillListing, language: Language): string {
  return [queryWords(query, language), arrangementWords(arrangement, language)]
    .filter(Boolean)
    .join(" · ");
}
