import type { SkillDescription } from "../core/skill/description/skillDescription";
import { type Translate, translateWith } from "../core/text/language";
import type { PageTab, SkillPageSnapshot } from "../protocol/pageMessages";
import { escapeHtml, type Markup, markup, markupText } from "./markup";
import { type PageFacts, skillHead, trustCards } from "./skillHead";

/**
 * Describes what a page shows before any script of it has run: a skill's head where the skill is known
 * by then, else `title`.
 */
function firstView(title: string, first: SkillPageSnapshot | undefined): Markup {
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

/** What the page's frame is made of. `nonce` is new for each page: 128 random bits or more. */
export interface SkillPageFrame {
  /** The text of the page's first script and of its style sheet. */
  readonly script: string;
  readonly style: string;
  readonly nonce: string;
  /** A BCP 47 tag. */
  readonly lang: string;
  readonly title: string;
  /** Whether its scripts make pictures of what it shows: it may then show those that it holds itself. */
  readonly drawsImages?: boolean;
  /** What is shown at first, where that is known. */
  readonly first: SkillPageSnapshot | undefined;
}

/** Where a picture is that a page holds itself. */
const heldByPage = "data:";

/**
 * Writes the HTML of a page: what is to be seen first, with one small script and one style sheet, both
 * inside it, so that the page loads nothing at all.
 */
export function skillPageHtml({
  script,
  style,
  nonce,
  lang,
  title,
  drawsImages = false,
  first,
}: SkillPageFrame): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    ...(drawsImages ? [`img-src ${heldByPage}`] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  // The toolkit looks for `csp-nonce` to try out, in a style element, whether `:focus-visible` is known.
  return `<!DOCTYPE html>
<html lang="${escapeHtml(lang)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta property="csp-nonce" content="${escapeHtml(nonce)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style nonce="${escapeHtml(nonce)}">${style.replaceAll("</", "<\\/")}</style>
</head>
<body>
<main id="page">${markupText(firstView(title, first))}</main>
<script nonce="${escapeHtml(nonce)}">${script.replaceAll(/<(?=\/script|!--)/gi, "\\x3C")}</script>
</body>
</html>
`;
}
