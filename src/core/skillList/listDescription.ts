import type { Language } from "../text/language";
import { listingWords, type SkillListing } from "./skillListing";

/** What stands beside the title of a list. */
export interface DescribedList {
  readonly listing: SkillListing;
  /** How the registry is named on screen; undefined before one is known. */
  readonly registryName?: string;
  /** Why there is no list; undefined where there is one. */
  readonly problem?: string;
}

/**
 * Says what a list holds: its search, filters, order and groups, or of all skills, whose they are.
 * Where there is none, the registry and the reason stand first.
 */
export function listDescription(
  { listing, registryName, problem }: DescribedList,
  language: Language,
): string {
  const words = listingWords(listing, language);
  const parts = problem === undefined ? [words || registryName] : [registryName, problem, words];
  return parts.filter(Boolean).join(" · ");
}
