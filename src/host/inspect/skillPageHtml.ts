/** What the page's frame is made of. `nonce` is new for each page: 128 random bits or more. */
export interface SkillPageFrame {
  readonly scriptUri: string;
  readonly styleUri: string;
  readonly cspSource: string;
  readonly nonce: string;
  /** A BCP 47 tag. */
  readonly lang: string;
  readonly title: string;
}

// The toolkit looks for `csp-nonce` to try out, in a style element, whether `:focus-visible` is known.
/** Writes the HTML of a skill's page: a frame that runs one script and loads one style sheet. */
export function skillPageHtml(frame: SkillPageFrame): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${frame.nonce}'`,
    `style-src ${frame.cspSource} 'nonce-${frame.nonce}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="${attribute(frame.lang)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">
<meta property="csp-nonce" content="${attribute(frame.nonce)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${attribute(frame.title)}</title>
<link rel="stylesheet" href="${attribute(frame.styleUri)}">
</head>
<body>
<main id="page">
<p class="quiet">${attribute(frame.title)} …</p>
</main>
<script nonce="${attribute(frame.nonce)}" src="${attribute(frame.scriptUri)}"></script>
</body>
</html>
`;
}

function attribute(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
