import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, it } from "mocha";
import { englishFiles, englishTexts, hardCodedText } from "./hardCodedText";
import { saidTexts } from "./usedTexts";

/** Without the built-in registry, whose texts are those of a registry. */
const folders = ["core", "registry", "language", "engine", "protocol", "host"];

function sources(): string[] {
  const under = [...folders.map((folder) => `src/${folder}`), "webview"].flatMap((folder) =>
    readdirSync(resolve(folder), { recursive: true, encoding: "utf8" }).map((name) =>
      join(folder, name),
    ),
  );
  return [...under, "src/extension.ts"].filter((file) => /(?<!\.d)\.ts$/.test(file));
}

describe("translated texts", () => {
  const cases: readonly (readonly [source: string, texts: readonly string[]])[] = [
    ['t("One two", { a: "b c" })', ["One two"]],
    ["vscode.l10n.t(\n  'Say \"so\"',\n)", ['Say "so"']],
    ["l10nText(`One two`)", ["One two"]],
    ['t("A tab: \\\\t")', ["A tab: \\t"]],
  ];
  for (const [source, texts] of cases) {
    it(`are found in ${JSON.stringify(source)}`, () => assert.deepEqual(saidTexts(source), texts));
  }
});

describe("texts for a person", () => {
  const found = sources().map((file) => ({
    file,
    words: hardCodedText(readFileSync(resolve(file), "utf8")),
  }));

  it("are all localized: by t, l10n.t, or l10nText and localize", () => {
    assert.ok(found.length > 200);
    const passedBy = found
      .filter(({ file }) => !Object.hasOwn(englishFiles, file))
      .flatMap(({ file, words }) => words.map(({ line, text }) => `${file}:${line} ${text}`))
      .filter((place) => !Object.keys(englishTexts).some((text) => place.endsWith(` ${text}`)));
    assert.deepEqual(passedBy, []);
  });

  it("stay in English only in the listed files", () => {
    const all = found.flatMap(({ words }) => words.map(({ text }) => text));
    for (const text of Object.keys(englishTexts)) assert.ok(all.includes(text), text);
    for (const file of Object.keys(englishFiles)) {
      assert.ok(
        found.some((one) => one.file === file && one.words.length > 0),
        file,
      );
    }
  });

  const cases: readonly (readonly [source: string, texts: readonly string[]])[] = [
    ['showErrorMessage("Not sent: no key.")', ["Not sent: no key."]],
    ["showErrorMessage(\n  'Not sent: no key.',\n)", ["Not sent: no key."]],
    [`showErrorMessage(\`Not sent: \${why}, sadly so.\`)`, ["Not sent: ", ", sadly so."]],
    ['const open = "Open";', ["Open"]],
    ['return { label: "valid" };', ["valid"]],
    ['pick.placeholder = "skill";', ["skill"]],
    ['return { detail: "ECONNREFUSED" };', []],
    ['return { label: "$(pass) " + name, placeHolder: "https://example.com" };', []],
    [`const a = isOne ? "1 call" : \`\${count} calls today\`;`, ["1 call", " calls today"]],
    [`\`a \${f(\`inner words \${x}\`)} b c\`; // not these words`, ["inner words "]],
    ['const words = /some words" here/; t("Some words");', []],
    ['t(\n  "Some words",\n)', []],
    ['vscode.l10n.t("Open Skill")', []],
    ['l10nText("Open Skill")', []],
    ['throw new Error("This is a bug");', []],
    ['channels.note("Not for readers")', []],
    ['import { x } from "./some words";', []],
    ['/* "Some words" */', []],
    ['element("p", { class: "note quiet" }, t("Some words"))', []],
    [`executeCommand("setContext", \`skillRegistry.\${name}\`)`, []],
  ];
  for (const [source, texts] of cases) {
    it(`are ${texts.length === 0 ? "not " : ""}found in ${JSON.stringify(source)}`, () => {
      assert.deepEqual(
        hardCodedText(source).map(({ text }) => text),
        texts,
      );
    });
  }
});
