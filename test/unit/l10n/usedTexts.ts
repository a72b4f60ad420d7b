import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** Files that hold texts in tables and translate them later; every literal with a space in it is one. */
const tables = ["src/core/schemaOutline/schemaLimits.ts"];

/** Lists every English text that the code says in the reader's language, with a file that says it. */
export function usedTexts(): Map<string, string> {
  const texts = new Map<string, string>();
  for (const folder of ["src/core", "src/validation", "src/assistance", "src/host", "webview"]) {
    for (const name of readdirSync(resolve(folder), { recursive: true, encoding: "utf8" })) {
      if (!name.endsWith(".ts")) continue;
      const file = join(folder, name);
      const source = readFileSync(resolve(file), "utf8");
      for (const text of textsIn(source, tables.includes(file))) texts.set(text, file);
    }
  }
  return texts;
}

const literal = /"(?:[^"\\\n]|\\.)*"/.source;
const said = new RegExp(`\\b(?:say|translate|wording|l10n\\.t)\\(\\s*(${literal})`, "g");
const tabled = new RegExp(`(?<=[:(,]\\s*)(${literal})`, "g");

function textsIn(source: string, isTable: boolean): string[] {
  const found = [...source.matchAll(said)];
  if (isTable) found.push(...source.matchAll(tabled));
  return found
    .map(([, text = '""']) => JSON.parse(text) as string)
    .filter((text) => !isTable || text.includes(" "));
}
