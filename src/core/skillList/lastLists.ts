import type { SkillList } from "./skillList";

/** The start of a list, and when it was loaded (milliseconds since 1970). */
export interface DatedList {
  readonly list: SkillList;
  readonly loadedAt: number;
}

/** Longer lists are not kept: memory grows with what is shown. */
const maxSkills = 1000;

/**
 * Keeps the lists that were loaded last, each by what it answers, so that a registry that fails
 * leaves them in sight. The oldest goes first.
 */
export class LastLists {
  readonly #lists = new Map<string, DatedList>();
  readonly #maxLists: number;

  constructor(maxLists = 5) {
    this.#maxLists = maxLists;
  }

  keep(question: string, dated: DatedList): void {
    this.#lists.delete(question);
    if (dated.list.skills.length > maxSkills) return;
    this.#lists.set(question, dated);
    const [oldest] = this.#lists.keys();
    if (this.#lists.size > this.#maxLists && oldest !== undefined) this.#lists.delete(oldest);
  }

  find(question: string): DatedList | undefined {
    return this.#lists.get(question);
  }
}
