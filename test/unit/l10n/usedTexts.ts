import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** Lists every English text that the code says in the reader's language, with a file that says it. */
export function usedTexts(): Map<string, string> {
  const texts = new Map<string, string>();
  for (const folder of ["src/core", "src/validation", "src/assistance", "src/host", "webview"]) {
    for (const name of readdirSync(resolve(folder), { recursive: true, encoding: "utf8" })) {
      if (!name.endsWith(".ts")) continue;
      const file = join(folder, name);
      const source = readFileSync(resolve(file), "utf8");
      for (const text of textsIn(source)) texts.set(text, file);
    }
  }
  return texts;
}

const literal = /"(?:[^"\\\n]|\\.)*"/.source;
const said = new RegExp(`\\b(?:say|translate|wording|l10n\\.t)\\(\\s*(${literal})`, "g");

function textsIn(source: string): string[] {
  return [...source.matchAll(said)].map(([, text = '""']) => JSON.parse(text) as string);
}
