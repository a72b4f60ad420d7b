import { firstSnapshotId, type SkillPageSnapshot } from "../../protocol/skillPage";

/** What the page's frame is made of. `nonce` is new for each page: 128 random bits or more. */
export interface SkillPageFrame {
  /** The text of the page's script and style sheet. */
  readonly script: string;
  readonly style: string;
  readonly nonce: string;
  /** A BCP 47 tag. */
  readonly lang: string;
  readonly title: string;
  /** What to show at first, where that is known. */
  readonly first: SkillPageSnapshot | undefined;
}

/**
 * Writes the HTML of a skill's page: a frame with one script and one style sheet, both inside it, so
 * that the page loads nothing at all.
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
<html lang="${attribute(lang)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">
<meta property="csp-nonce" content="${attribute(nonce)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${attribute(title)}</title>
<style nonce="${attribute(nonce)}">${style.replaceAll("</", "<\\/")}</style>
</head>
<body>
<main id="page">
<p class="quiet">${attribute(title)} …</p>
</main>
${first === undefined ? "" : data(first, nonce)}<script nonce="${attribute(nonce)}">${script.replaceAll(/<(?=\/script|!--)/gi, "\\x3C")}</script>
</body>
</html>
`;
}

function data(first: SkillPageSnapshot, nonce: string): string {
  const json = JSON.stringify(first).replaceAll("<", "\\u003c");
  return `<script type="application/json" id="${firstSnapshotId}" nonce="${attribute(nonce)}">${json}</script>\n`;
}

function attribute(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
