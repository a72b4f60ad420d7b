import type { SkillSummary } from "../../skill/skill";
import type { Language } from "../../text/language";
import type { SkillOrder } from "./skillArrangement";
import { sortSkills, type UnsortedList } from "./sortSkills";

/**
 * Sorts a list that grows page by page. What it sorted before stands in front of what is new, and
 * sorting what is nearly sorted is quick: with 500 new names among 10,000, 4 ms instead of 20.
 */
export class SortedSkills {
  #skills: readonly SkillSummary[] = [];
  #sorted: readonly SkillSummary[] = [];
  #way = "";

  /** Lists the skills in an order, as `sortSkills` does. */
  of(
    { skills, sorting, isJoined }: UnsortedList,
    order: SkillOrder,
    language: Language,
  ): readonly SkillSummary[] {
    const way = [order, sorting, isJoined, language.locale].join(" ");
    const hasGrown = way === this.#way && startsWith(skills, this.#skills);
    if (!hasGrown || skills.length > this.#skills.length) {
      const start = hasGrown ? [...this.#sorted, ...skills.slice(this.#skills.length)] : skills;
      this.#sorted = sortSkills({ skills: start, sorting, isJoined }, order, language);
    }
    this.#skills = skills;
    this.#way = way;
    return this.#sorted;
  }
}

function startsWith(skills: readonly SkillSummary[], start: readonly SkillSummary[]): boolean {
  return start.length <= skills.length && start.every((skill, index) => skill === skills[index]);
}
