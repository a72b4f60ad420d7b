import type { SkillSummary } from "../../skill/skill";
import type { Language } from "../../text/language";
import type { SortVerdict } from "../skillQuery";
import { sortHere } from "./checkSort";
import { type SkillOrder, wireSort } from "./skillArrangement";

/** Skills as a registry gave them, and how it took the order it was asked for. */
export interface UnsortedList {
  readonly skills: readonly SkillSummary[];
  readonly sorting?: SortVerdict | undefined;
  readonly isJoined?: boolean | undefined;
}

/** Lists skills in an order: by name, or as the registry did, or here where it ignored the order, several lists were joined, or permissions amount to more than it states. */
export function sortSkills(
  { skills, sorting, isJoined }: UnsortedList,
  order: SkillOrder,
  language: Language,
): readonly SkillSummary[] {
  if (order === "name") return byName(skills, language);
  const sort = wireSort(order);
  const isUnsorted =
    sorting === "ignored" ||
    isJoined === true ||
    (sort === "low_risk" && skills.some(({ understatedLevel }) => understatedLevel !== undefined));
  return sort === undefined || !isUnsorted ? skills : sortHere(skills, sort);
}

function byName(skills: readonly SkillSummary[], { locale }: Language): readonly SkillSummary[] {
  const { compare } = new Intl.Collator(locale, { numeric: true });
  return [...skills].sort(
    (one, other) => compare(one.displayName, other.displayName) || (one.slug < other.slug ? -1 : 1),
  );
}
