import type { SkillPageSnapshot } from "./pageMessages";

/** The ID of the element that holds the page's first content, as JSON. */
export const firstSnapshotId = "first";

/**
 * The ID of the element with the page's translations as JSON, from English to the reader's language. It is missing for
 * English.
 */
export const wordsId = "words";

/** The inputs of a page's HTML. */
interface PageHtml {
  /** The URI of the page's only script. */
  readonly script: string;
  /** The content of its style sheet. */
  readonly style: string;
  /** A random value for each page, with at least 128 bits. */
  readonly nonce: string;
  /** The reader's language as a BCP 47 tag. */
  readonly lang: string;
  readonly title: string;
  /** The first content, if known. */
  readonly first: SkillPageSnapshot | undefined;
  /** The translations of its script's texts, from English to the reader's language; empty for English. */
  readonly words: Readonly<Record<string, string>>;
}

/** The only source of images: charts and images in outputs are data URIs. */
const inlineImages = "data:";

/** Returns the HTML of a page: its style sheet, its first content as data, and its only script. */
export function pageHtml({ script, style, nonce, lang, title, first, words }: PageHtml): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    `img-src ${inlineImages}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const data = [
    Object.keys(words).length === 0 ? "" : dataElement(wordsId, words),
    first === undefined ? "" : dataElement(firstSnapshotId, first),
  ].join("");
  // The toolkit adds a style element and takes the nonce for it from `csp-nonce`.
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

/** Returns an element that holds data as JSON, escaped so that no text in it can end the element. */
function dataElement(id: string, data: unknown): string {
  const text = JSON.stringify(data).replaceAll("<", "\\u003c");
  return `<script type="application/json" id="${id}">${text}</script>`;
}

/** Escapes a text for HTML content and quoted attributes. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"'\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
