import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, it } from "mocha";
import { commands } from "../../../src/cli/cli";
import { environment, exitCodeTexts, optionSections } from "../../../src/cli/program/help";

const documents = [
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "README.md",
  ...readdirSync("docs", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
];
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

  it("link only to files that exist", () => {
    let links = 0;
    for (const document of documents) {
      const text = readFileSync(document, "utf8");
      for (const [, target = ""] of text.matchAll(/\]\((?!https:|#)([^)#]+)/g)) {
        links++;
        assert.ok(existsSync(join(dirname(document), target)), `${document}: ${target}`);
      }
    }
    assert.ok(links > 10);
  });

  it("list every setting with its default", () => {
    const text = readFileSync("docs/settings.md", "utf8");
    const { properties } = JSON.parse(readFileSync("package.json", "utf8")).contributes
      .configuration;
    for (const [name, { default: usual }] of Object.entries<{ default: unknown }>(properties)) {
      const shown = usual === "" ? "empty" : usual;
      assert.match(text, new RegExp(`^\\| \`${name}\` \\| \`?${shown}\`? \\|`, "m"));
    }
  });

  it("name the version of the manifest, the newest one of the changelog", () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    const [, newest] = /^## (\S+)/m.exec(readFileSync("CHANGELOG.md", "utf8")) ?? [];
    const named = [...readFileSync("README.md", "utf8").matchAll(/skill-registry-([\d.]+)\.vsix/g)];
    assert.deepEqual([newest, ...named.map(([, one]) => one)], [version, version]);
  });

  it("contain the options of every command, as `npm run docs` writes them", async () => {
    const { cliDocument } = await import(pathToFileURL("scripts/docs/cliDocument.mjs").href);
    assert.equal(
      readFileSync("docs/cli.md", "utf8"),
      cliDocument({ commands, environment, exitCodeTexts, optionSections }),
      "Run npm run docs.",
    );
  });

  it("describe each folder of src/core and src/host", () => {
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

  it("have no missing folder in a table", () => {
    const text = readFileSync("ARCHITECTURE.md", "utf8");
    const [, table = ""] = text.split("| folder | about |");
    const rows = [...(table.split("\n\n")[0] ?? "").matchAll(/^\| `([\w/]+)` \|/gm)];
    assert.ok(rows.length > 15, `${rows.length}`);
    for (const [, folder = ""] of rows) assert.ok(existsSync(`src/core/${folder}`), folder);
  });
});

describe("Each document of a feature", () => {
  const names = readdirSync("docs").filter((name) => name.endsWith(".md"));

  it("has an example", () => {
    const without = names.filter((name) => !/^```/m.test(readFileSync(`docs/${name}`, "utf8")));
    assert.deepEqual(without, []);
  });

  it("is linked from the README, which has at most 120 lines", () => {
    const readme = readFileSync("README.md", "utf8");
    assert.deepEqual(
      names.filter((name) => !readme.includes(`(docs/${name})`)),
      [],
    );
    assert.ok(readme.split("\n").length <= 120);
  });
});
