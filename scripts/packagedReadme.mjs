/**
 * Writes the README for whoever installs the extension: without what concerns the sources, and without
 * the picture and links of files that the package has not, which the Extensions view shows broken.
 */
export function packagedReadme(text) {
  return text
    .replace(/^!\[.*$\n+/gm, "")
    .replace(/^## Try it from the sources$[\s\S]*?(?=^## )/m, "")
    .replace(/^## More$[\s\S]*/m, "")
    .trimEnd()
    .concat("\n");
}
