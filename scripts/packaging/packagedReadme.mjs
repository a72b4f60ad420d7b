/**
 * Returns the README for users of the extension: without the parts about the sources, and without links to files that
 * the package lacks, which the Extensions view would show as broken. Its pictures are linked to the public sources of
 * this version, or left out if these have no address (`repository` is empty).
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
