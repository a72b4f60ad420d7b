import type { SkillPageSnapshot } from "./pageMessages";

/** The ID of the element that holds the page's first content, as JSON. */
export const firstSnapshotId = "first";

/** The ID of the element that holds the page's texts, English → the reader's language, as JSON; absent for English. */
export const wordsId = "words";

/** The parts of a page's HTML. */
export interface PageHtml {
  /** The address of the page's only script. */
  readonly script: string;
  /** The text of its style sheet. */
  readonly style: string;
  /** New for each page: 128 random bits or more. */
  readonly nonce: string;
  /** A BCP 47 tag. */
  readonly lang: string;
  readonly title: string;
  /** The first content, where it is known. */
  readonly first: SkillPageSnapshot | undefined;
  /** The texts that its script says, English → the reader's language; empty for English. */
  readonly words: Readonly<Record<string, string>>;
}

/** Charts, and images in an output, which a page holds itself. It loads none. */
const heldByPage = "data:";

/** Writes the HTML of a page: its style sheet, its first content as data, and its one script. */
export function pageHtml({ script, style, nonce, lang, title, first, words }: PageHtml): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    `img-src ${heldByPage}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const data = [
    Object.keys(words).length === 0 ? "" : dataElement(wordsId, words),
    first === undefined ? "" : dataElement(firstSnapshotId, first),
  ].join("");
  // The toolkit looks for `csp-nonce` to test in a style element whether `:focus-visible` is supported.
  return `<!DOCTYPE html>
<html lang="${escapeHtml(lang)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta property="csp-nonce" content="${escapeHtml(nonce)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style nonce="${escapeHtml(nonce)}">${style.replaceAll("</", "<\\/")}</style>
<script defer nonce="${escapeHtml(nonce)}" src="${escapeHtml(script)}"></script>
</head>
<body>
<main id="page"></main>
${data}
</body>
</html>
`;
}

/** Writes an element that holds data which no text in it can end. */
function dataElement(id: string, data: unknown): string {
  const text = JSON.stringify(data).replaceAll("<", "\\u003c");
  return `<script type="application/json" id="${id}">${text}</script>`;
}

/** Writes a text so that HTML shows it as it is, between elements and inside a quoted attribute. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"'\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
