import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { describe, it } from "mocha";
import { scenarios } from "./scenarios";

/** Folders of tests about files outside of `src` and `webview`. */
const elsewhere = ["documents", "l10n", "package", "scripts"];

/** Lists the files below a folder whose names end in `end`, with `/` between their parts. */
function filesBelow(folder: string, end: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const paths = names.map((name) => `${folder}/${name.replaceAll("\\", "/")}`);
  return paths.filter((path) => path.endsWith(end)).sort();
}

/** Returns whether a file of the folder has the name, or exports a declaration that has it. */
function hasName(folder: string, name: string): boolean {
  if (!existsSync(folder)) return false;
  const files = readdirSync(folder).filter((file) => file.endsWith(".ts"));
  if (files.includes(`${name}.ts`)) return true;
  const kinds = "(?:async )?(?:function\\*?|const|class|interface|type)";
  const declaration = new RegExp(`^export ${kinds} ${name}\\b`, "im");
  return files.some((file) => declaration.test(readFileSync(`${folder}/${file}`, "utf8")));
}

/** The paths of unit tests below `test/unit`, without the ending. */
const paths = filesBelow("test/unit", ".test.ts")
  .map((file) => file.slice("test/unit/".length, -".test.ts".length))
  .filter((path) => !elsewhere.includes(path.split("/")[0] ?? ""));

function sourceFolderOf(path: string): string {
  return path.startsWith("webview/") ? dirname(path) : `src/${dirname(path)}`;
}

describe("the path of a unit test", () => {
  it("names a source file, an export beside it, or a listed scenario", () => {
    const lost = paths.filter(
      (path) => !(path in scenarios) && !hasName(sourceFolderOf(path), basename(path)),
    );
    assert.deepEqual(lost, []);
  });

  it("stands in the list of scenarios only if there is no source file or export of its name", () => {
    const stale = Object.keys(scenarios).filter(
      (path) => !paths.includes(path) || hasName(sourceFolderOf(path), basename(path)),
    );
    assert.deepEqual(stale, []);
  });
});

describe("a file of the sources and tests", () => {
  it("has at most 400 lines", () => {
    const files = ["src", "webview", "test", "scripts"].flatMap((folder) =>
      [".ts", ".mjs", ".cjs", ".css"].flatMap((end) => filesBelow(folder, end)),
    );
    assert.ok(files.length > 1000);
    const linesOf = (file: string) => readFileSync(file, "utf8").split("\n").length - 1;
    assert.deepEqual(
      files.filter((file) => linesOf(file) > 400),
      [],
    );
  });
});
