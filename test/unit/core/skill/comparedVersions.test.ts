import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "mocha";

/** Comparisons that are not of two versions of a skill, or that need the exact text. */
const others: readonly (readonly [file: string, why: string])[] = [
  ["src/localRegistry", "A registry runs what was named, in its own spelling."],
  ["src/host/author/payloadFixActions.ts", "The version of a document of the editor."],
  ["src/host/environments/moveToSecret.ts", "The version of a document of the editor."],
  ["src/host/inspect/skillPanel.ts", "The entry that is chosen in the list of versions."],
  ["src/protocol/pageMessages.ts", "The entry that is chosen in the list of versions."],
  ["webview/comparisonView.ts", "The entry that is chosen in the list of versions."],
  ["webview/form/formView.ts", "Whether the page shows another version than before."],
  ["webview/parts/viewState.ts", "Whether the page shows another version than before."],
];

const compared = /([\w.?]+|\([^()]*\)) [!=]== ([\w.?]+)/g;
const ofVersion = /[vV]ersion$/;
const constant = /^(?:undefined|null|\d.*)$/;

/** Returns the lines of a source that compare anything named a version by its spelling. */
function comparisonsIn(text: string): string[] {
  return text.split("\n").filter((line) =>
    [...line.matchAll(compared)].some(([, left = "", right = ""]) => {
      const isTyped = line.includes(`typeof ${left}`);
      const isVersion = ofVersion.test(left) || ofVersion.test(right);
      return isVersion && !isTyped && ![left, right].some((side) => constant.test(side));
    }),
  );
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name).replaceAll("\\", "/"));
}

describe("two versions of a skill", () => {
  it("are compared by isSameVersion everywhere, since v1.0.0 and 1.0.0 are one", () => {
    const found = ["src", "webview"].flatMap(sourcesIn).flatMap((file) => {
      if (others.some(([known]) => file === known || file.startsWith(`${known}/`))) return [];
      return comparisonsIn(readFileSync(file, "utf8")).map((line) => `${file}: ${line.trim()}`);
    });
    assert.deepEqual(found, []);
  });

  for (const line of [
    "if (one.version === other.version) return;",
    "summary?.version !== wanted",
    "const is = asked === installed.version;",
  ]) {
    it(`are found in “${line}”`, () => assert.equal(comparisonsIn(line).length, 1));
  }

  for (const line of [
    'version === ""',
    'typeof version === "string"',
    "version !== undefined",
    "format.version === 1",
  ]) {
    it(`are not found in “${line}”`, () => assert.equal(comparisonsIn(line).length, 0));
  }
});
