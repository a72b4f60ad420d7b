import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, it } from "mocha";

const documents = ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"];
const foldersOfSources =
  /^(?:src|webview|test|scripts|media|tsconfig|l10n|\.github)(?:\/[\w.@-]+)+\/?$/;

describe("the documents", () => {
  for (const document of documents) {
    const text = readFileSync(document, "utf8");
    const named = [...text.matchAll(/`([^`\s]+)`/g)].map(([, name = ""]) => name);
    const paths = named.filter((name) => foldersOfSources.test(name));

    it(`name only files that exist: ${document}`, () => {
      assert.deepEqual(
        paths.filter((path) => !existsSync(path)),
        [],
      );
    });
  }

  it("say of each folder of src/core and src/host what it is about", () => {
    const text = readFileSync("ARCHITECTURE.md", "utf8");
    for (const parent of ["src/core", "src/host"]) {
      const folders = readdirSync(parent, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && readdirSync(`${parent}/${entry.name}`).length > 0)
        .map(({ name }) => name);
      assert.deepEqual(
        folders.filter((name) => !text.includes(`\`${name}\``)),
        [],
      );
    }
  });

  it("have no folder in a table that does not exist", () => {
    const text = readFileSync("ARCHITECTURE.md", "utf8");
    const [, table = ""] = text.split("a folder is about one thing:");
    const rows = [...(table.split("\n\n")[1] ?? "").matchAll(/^\| `([\w/]+)` \|/gm)];
    assert.ok(rows.length > 15, `${rows.length}`);
    for (const [, folder = ""] of rows) assert.ok(existsSync(`src/core/${folder}`), folder);
  });
});
