import { translateWith } from "../core/text/language";
import type { SkillPageSnapshot } from "../protocol/skillPage";
import { type Markup, markup } from "./markup";
import { skillHead } from "./skillHead";

/**
 * Describes what a page shows before any script of it has run: a skill's head where the skill is known
 * by then, else `title`.
 */
export function firstView(title: string, first: SkillPageSnapshot | undefined): Markup {
  const { page, words = {} } = first ?? {};
  return page?.kind === "ready"
    ? markup("div", { class: "skill" }, skillHead(page.skill, page.run, translateWith(words)))
    : waitingView(title);
}

/** Describes what stands in a page until it is known what to show. */
export function waitingView(title: string): Markup {
  return markup("p", { class: "quiet" }, `${title} …`);
}
