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

/** Writes the HTML of a skill's page: an empty frame that runs one script and loads nothing else. */
export function skillPageHtml(frame: SkillPageFrame): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${frame.nonce}'`,
    `style-src ${frame.cspSource}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="${attribute(frame.lang)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${attribute(frame.title)}</title>
<link rel="stylesheet" href="${attribute(frame.styleUri)}">
</head>
<body>
<main id="page" tabindex="-1"></main>
<script nonce="${attribute(frame.nonce)}" src="${attribute(frame.scriptUri)}"></script>
</body>
</html>
`;
}

function attribute(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
