import { firstView } from "../../page/firstView";
import { escapeHtml, markupText } from "../../page/markup";
import type { SkillPageSnapshot } from "../../protocol/pageMessages";

/** What the page's frame is made of. `nonce` is new for each page: 128 random bits or more. */
export interface SkillPageFrame {
  /** The text of the page's first script and of its style sheet. */
  readonly script: string;
  readonly style: string;
  readonly nonce: string;
  /** A BCP 47 tag. */
  readonly lang: string;
  readonly title: string;
  /** What is shown at first, where that is known. */
  readonly first: SkillPageSnapshot | undefined;
}

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
  first,
}: SkillPageFrame): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
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
