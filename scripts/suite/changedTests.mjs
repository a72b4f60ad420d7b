import { readFile, stat } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import * as esbuild from "esbuild";
import { out, root } from "../editor/paths.mjs";
import { runQuietly } from "../editor/runQuietly.mjs";
import { unitBundle } from "../unit.mjs";
import { testFilesBelow } from "./testFiles.mjs";

/** The tests of pages in a browser. Other tests cover nearly all decisions of the core that they show. */
const pageTests = "test/unit/webview/";

/** The tests of the whole extension. They do not import it: their editor loads its bundle. */
const memoryTests = "test/inMemory/";
const extension = "src/extension.ts";

/** Tests of a program as a whole. */
const wholeTests = [memoryTests, "test/unit/cli/"];

/**
 * Lists the tests without a window that reach a file changed since this branch left `main`, committed or not. A test
 * reaches its imports, and the files and folders whose paths it or its fixtures contain as text. Decisions of
 * `src/core` are tested in `test/unit/core`. For a change there, other tests only count if they or a direct import of
 * theirs import the file; tests of a whole program only if they do so themselves; tests of the language thread for
 * every change of `src/core/schema`; tests of pages never. Rejects without a branch `main`.
 */
export async function changedTests() {
  const testsOf = await testsByFiles();
  return testsOf(await changedFiles());
}

/** Returns the changed files, each with the tests that `changedTests` would list for it alone. */
export async function testsOfChangedFiles() {
  const testsOf = await testsByFiles();
  return (await changedFiles()).map((file) => ({ file, tests: testsOf([file]) }));
}

/** Reads the imports of all tests once, and returns a function from changed files to their tests. */
async function testsByFiles() {
  const tests = [
    ...(await testFilesBelow("test/unit")),
    ...(await testFilesBelow("test/inMemory")),
  ];
  const graph = await importsFrom([...tests, extension]);
  const named = new Map();
  for (const file of Object.keys(graph).filter((path) => path.startsWith("test/"))) {
    named.set(file, await pathsNamedIn(file));
  }
  const furtherModules = [...new Set([...named.values()].flat())].filter(
    (path) => /\.(ts|mjs)$/.test(path) && !(path in graph),
  );
  Object.assign(graph, await importsFrom(furtherModules));
  const reaches = (start, relevant, most = Number.POSITIVE_INFINITY) => {
    const isReached = (path) =>
      relevant.some((file) => file === path || (path.endsWith("/") && file.startsWith(path)));
    const imports = new Map([[start, 0]]);
    for (const [file, count] of imports) {
      if (count === most) continue;
      for (const next of [...(graph[file] ?? []), ...(named.get(file) ?? [])]) {
        if (!imports.has(next)) imports.set(next, count + 1);
      }
    }
    return [...imports.keys()].some(isReached);
  };
  return (changed) => {
    const outsideCore = changed.filter((file) => !file.startsWith("src/core/"));
    const schemas = changed.filter((file) => file.startsWith("src/core/schema/"));
    const extensionChanged = reaches(extension, outsideCore);
    return tests.filter((test) => {
      if (test.startsWith(pageTests)) return reaches(test, outsideCore);
      if (test.startsWith("test/unit/core/")) return reaches(test, changed);
      const mostImports = wholeTests.some((folder) => test.startsWith(folder)) ? 1 : 2;
      return (
        (test.startsWith(memoryTests) && extensionChanged) ||
        (test.startsWith("test/unit/language/") && reaches(test, schemas)) ||
        reaches(test, outsideCore) ||
        reaches(test, changed, mostImports)
      );
    });
  };
}

async function changedFiles() {
  const base = (await git("merge-base", "HEAD", "main"))[0];
  const tracked = await git("diff", "--name-only", "--no-renames", base);
  const untracked = await git("ls-files", "--others", "--exclude-standard");
  return [...tracked, ...untracked];
}

async function git(...args) {
  const text = await runQuietly("git", ["-c", "core.quotePath=false", ...args], { cwd: root });
  return text.split("\n").filter((line) => line !== "");
}

/** Maps each file that these modules bundle to its imports, relative to the root. */
async function importsFrom(modules) {
  const { metafile } = await esbuild.build({
    ...unitBundle,
    entryPoints: modules,
    // Quicker than bundling for a run, since nothing is written twice.
    format: "esm",
    splitting: true,
    outdir: join(out, "test/unit/changed"),
    outbase: root,
    write: false,
    metafile: true,
  });
  return Object.fromEntries(
    Object.entries(metafile.inputs).map(([file, { imports }]) => [
      file,
      imports.filter(({ external }) => !external).map(({ path }) => path),
    ]),
  );
}

/** Finds the files and folders whose paths a file contains as text; folders end with `/`. */
async function pathsNamedIn(file) {
  const text = await readFile(join(root, file), "utf8");
  const found = new Set();
  for (const [, path] of text.matchAll(/["'`]([\w@.-][\w@./-]*)(?=["'`$])/g)) {
    for (const folder of [root, join(root, dirname(file))]) {
      const full = resolve(folder, path);
      const there = await stat(full).catch(() => undefined);
      const fromRoot = relative(root, full).replaceAll("\\", "/");
      if (there === undefined || fromRoot === "" || fromRoot.startsWith("..")) continue;
      // As a text, "test" is a command or a kind of caller, not the folder.
      if (fromRoot === "test") continue;
      if (!fromRoot.startsWith("node_modules"))
        found.add(there.isFile() ? fromRoot : `${fromRoot}/`);
    }
  }
  return [...found];
}
