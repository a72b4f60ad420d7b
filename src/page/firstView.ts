import type { SkillDescription } from "../core/skill/description/skillDescription";
import { type Translate, translateWith } from "../core/text/language";
import type { SkillPageSnapshot } from "../protocol/skillPage";
import { type Markup, markup } from "./markup";
import { type PageFacts, skillHead, trustCards } from "./skillHead";
import { skillTabs, tabId } from "./skillTabs";

/**
 * Describes what a page shows before any script of it has run: a skill's head where the skill is known
 * by then, else `title`.
 */
export function firstView(title: string, first: SkillPageSnapshot | undefined): Markup {
  const { page, words = {} } = first ?? {};
  return page?.kind === "ready"
    ? skillView(page.skill, page, translateWith(words))
    : waitingView(title);
}

/** Its tabs and buttons hold their place, so that nothing moves when they are live; what is pressed before is done then. */
function skillView(skill: SkillDescription, facts: PageFacts, t: Translate): Markup {
  return markup(
    "div",
    { class: "skill", "data-tab": "overview" },
    ...skillHead(skill, facts, t),
    markup(
      "vscode-panels",
      {},
      ...skillTabs(skill, t).map(({ id, label }) =>
        markup(
          "vscode-panel-tab",
          { id: tabId(id), "aria-selected": String(id === "overview") },
          label,
        ),
      ),
      markup("vscode-panel-view", {}, trustCards(skill, facts, t)),
    ),
  );
}

/** Describes what stands in a page until it is known what to show. */
export function waitingView(title: string): Markup {
  return markup("p", { class: "quiet" }, `${title} …`);
}
