/**
 * Writes the README for whoever installs the extension: without what concerns the sources, and without links of
 * files that the package has not, which the Extensions view shows broken. Its pictures are shown from the public
 * sources of this version; without an address of these (`repository` empty) they are left out.
 */
export function packagedReadme(text, { repository = "", version }) {
  const address = repository.replace(/^git\+/, "").replace(/\.git$/, "");
  const picture = address === "" ? "" : `$1(${address}/raw/v${version}/$2)\n\n`;
  return text
    .replace(/^(!\[.*\])\((.*)\)\n+/gm, picture)
    .replace(/^## More$[\s\S]*/m, "")
    .trimEnd()
    .concat("\n");
}
