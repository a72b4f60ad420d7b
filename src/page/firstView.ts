import type { SkillDescription } from "../core/skill/description/skillDescription";
import { type Translate, translateWith } from "../core/text/language";
import type { PageTab, SkillPageSnapshot } from "../protocol/pageMessages";
import { type Markup, markup } from "./markup";
import { type PageFacts, skillHead, trustCards } from "./skillHead";

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

/** Names the tabs of a skill's page in the order they are shown; counts what stands in some of them. */
export function skillTabs(
  { examples, moreExamples, versions, moreVersions }: SkillDescription,
  t: Translate,
): readonly { readonly id: PageTab; readonly label: string }[] {
  const counted = (label: string, count: number) => (count > 0 ? `${label} (${count})` : label);
  return [
    { id: "overview", label: t("Overview") },
    { id: "input", label: t("Input") },
    { id: "output", label: t("Output") },
    { id: "examples", label: counted(t("Examples"), examples.length + moreExamples) },
    { id: "versions", label: counted(t("Versions"), versions.length + moreVersions) },
    { id: "manifest", label: t("Manifest") },
  ];
}

/** Names the element of a tab, in the first view and the live one alike. */
export function tabId(tab: PageTab): string {
  return `${tab}-tab`;
}
