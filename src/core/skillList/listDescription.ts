import type { Language } from "../text/language";
import { listingWords, type SkillListing } from "./skillListing";

/** What stands beside the title of a list. */
export interface DescribedList {
  readonly listing: SkillListing;
  /** How the registry is named on screen; undefined before one is known. */
  readonly registryName?: string;
  /** Why there is no list; undefined where there is one. */
  readonly problem?: string;
  /** The message above the rows says what restricts the list. */
  readonly hasMessage?: boolean;
}

/**
 * Says whose list it is, which a narrow view has room for. What restricts and arranges it follows where
 * no message above the rows says so, and the reason before that where there is none.
 */
export function listDescription(
  { listing, registryName, problem, hasMessage }: DescribedList,
  language: Language,
): string {
  const words = hasMessage === true ? "" : listingWords(listing, language);
  return [registryName, problem, words].filter(Boolean).join(" · ");
}
