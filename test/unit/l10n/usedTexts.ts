import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { literalsOf } from "./literalsOf";

/** Maps every English text that the code translates to a file that uses it. */
export function usedTexts(): Map<string, string> {
  const texts = new Map<string, string>();
  for (const folder of [
    "src/core",
    "src/language",
    "src/engine",
    "src/host",
    "src/protocol",
    "webview",
  ]) {
    for (const name of readdirSync(resolve(folder), { recursive: true, encoding: "utf8" })) {
      if (!name.endsWith(".ts")) continue;
      const file = join(folder, name);
      for (const text of saidTexts(readFileSync(resolve(file), "utf8"))) texts.set(text, file);
    }
  }
  return texts;
}

/** Lists the texts that a source translates, without escapes. */
export function saidTexts(source: string): string[] {
  return literalsOf(source)
    .filter(({ before }) => /\b(?:t|t|l10nText|l10n\.t)\( ?$/.test(before))
    .map(({ text }) => unescaped(text));
}

function unescaped(text: string): string {
  return JSON.parse(`"${text.replaceAll("\\'", "'").replaceAll(/(?<!\\)"/g, '\\"')}"`);
}
