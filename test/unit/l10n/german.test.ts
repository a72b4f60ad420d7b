import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, it } from "mocha";
import { usedTexts } from "./usedTexts";

const read = (file: string): Record<string, string> =>
  JSON.parse(readFileSync(resolve(file), "utf8"));
const placesIn = (text: string) => (text.match(/\{\w+\}|\$\([\w-]+\)/g) ?? []).sort();
const commandsIn = (text: string) => text.match(/\(command:[\w.?%]+\)|`[^`]+`/g) ?? [];

describe("German", () => {
  const used = usedTexts();
  const german = read("l10n/bundle.l10n.de.json");

  it("contains every used text; add missing ones to l10n/bundle.l10n.de.json", () => {
    assert.ok(used.size > 300);
    const missing = [...used].filter(([text]) => !Object.hasOwn(german, text));
    assert.deepEqual(missing, []);
  });

  it("contains no unused text", () => {
    assert.deepEqual(
      Object.keys(german).filter((text) => !used.has(text)),
      [],
    );
  });

  it("has the same placeholders, and no empty text", () => {
    for (const [text, said] of Object.entries(german)) {
      assert.deepEqual(placesIn(said), placesIn(text), text);
      assert.match(said, /\S/, text);
    }
  });

  it("names commands as the palette does", () => {
    const [titles, words] = [read("package.nls.json"), read("package.nls.de.json")];
    const named = Object.entries(german).filter(([text]) => text.includes("“Skill Registry: "));
    assert.ok(named.length > 5);
    for (const [text, said] of named) {
      const [, title] = /“Skill Registry: ([^”]+)”/.exec(text) ?? [];
      const name = Object.keys(titles).find((key) => titles[key] === title) ?? assert.fail(text);
      assert.ok(said.includes(`„Skill Registry: ${words[name]}“`), said);
    }
  });

  it("has a verb for each of validate, review and check", () => {
    const verbs = [
      [/\bvalidat(?:e|ed|ion)\b/i, /validier/i],
      [/\b(?:un)?reviewe?d?s?\b/i, /begutacht/i],
    ] as const;
    // A title of changes to look at.
    const others = ["Review Changes…"];
    for (const [english, word] of verbs) {
      const named = Object.entries(german).filter(([text]) => english.test(text));
      assert.ok(named.length > 5);
      const wrong = named.filter(([text, said]) => !word.test(said) && !others.includes(text));
      assert.deepEqual(wrong, []);
    }
  });

  it("exists for every text of the manifest except its name", () => {
    const { contributes, description } = JSON.parse(readFileSync(resolve("package.json"), "utf8"));
    // A user sees only the first level of a tool's texts; models read the others.
    const { languageModelTools, ...others } = contributes as Record<string, readonly object[]>;
    const tools = (languageModelTools ?? []).map(({ displayName, userDescription }: ShownTool) => [
      ["displayName", displayName],
      ["userDescription", userDescription],
    ]);
    const shown = [["description", description], ...tools.flat(), ...textsOf(others)];
    assert.ok(shown.length > 100 && tools.length > 4);
    const fixed = shown.filter(
      ([, text]) => !/^%[\w.]+%$/.test(text ?? "") && text !== "Skill Registry",
    );
    assert.deepEqual(fixed, []);
  });

  it("has every text of the manifest, with the same commands", () => {
    const [texts, words] = [read("package.nls.json"), read("package.nls.de.json")];
    assert.deepEqual(Object.keys(words).sort(), Object.keys(texts).sort());
    for (const [name, text] of Object.entries(texts)) {
      assert.deepEqual(commandsIn(words[name] ?? ""), commandsIn(text), name);
    }
  });
});

/** The texts of a tool for agents that the user sees. */
interface ShownTool {
  readonly displayName?: string;
  readonly userDescription?: string;
}

/** Returns the texts of a manifest, each with its member's name. */
function textsOf(value: unknown): string[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const isShown = /^(?:title|shortTitle|label|name|category|contents)$|[dD]escriptions?$/.test(
      name,
    );
    const texts = (Array.isArray(member) ? member : [member]).filter(
      (text) => typeof text === "string",
    );
    return isShown && texts.length > 0 ? texts.map((text) => [name, text]) : textsOf(member);
  });
}
