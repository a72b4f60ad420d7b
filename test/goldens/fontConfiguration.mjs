import { dirname, join } from "node:path";
import { root } from "../../scripts/editor/paths.mjs";

/** The fonts of an npm package, which is pinned, so that text looks the same on every machine. */
const fonts = join(root, "node_modules/dejavu-fonts-ttf");

/** Writes a fontconfig file as `file` that offers only the fonts of the dependencies, rendered in one way. */
export function fontConfiguration(file) {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>${fonts}/ttf</dir>
  <cachedir>${join(dirname(file), "fontCache")}</cachedir>
  <selectfont>
${["Condensed", "ExtraLight", "Serif", "Math"].map(reject).join("\n")}
  </selectfont>
${["sans-serif", "sans", "system-ui", "serif"].map((name) => alias(name, "DejaVu Sans")).join("\n")}
${alias("monospace", "DejaVu Sans Mono")}
  <match target="font">
    <edit name="antialias" mode="assign"><bool>true</bool></edit>
    <edit name="hinting" mode="assign"><bool>false</bool></edit>
    <edit name="autohint" mode="assign"><bool>false</bool></edit>
    <edit name="hintstyle" mode="assign"><const>hintnone</const></edit>
    <edit name="rgba" mode="assign"><const>none</const></edit>
  </match>
</fontconfig>
`;
}

function reject(part) {
  return `    <rejectfont><glob>*${part}*.ttf</glob></rejectfont>`;
}

function alias(family, font) {
  return `  <alias binding="same"><family>${family}</family><prefer><family>${font}</family></prefer></alias>`;
}
