import { join } from "node:path";
import { downloads, out } from "../editor/paths.mjs";
import { filesOfParts, testFilesBelow } from "../suite/testFiles.mjs";
import { buildEditorTests } from "./buildEditorTests.mjs";
import { editorWindows } from "./editorWindows.mjs";
import { runEditorWindow } from "./runEditorWindow.mjs";

/**
 * Runs editor tests in `host`: `newest`, `oldest` or `desktop`, each window of theirs in turn. With
 * `vsix` the packaged extension is installed into a clean profile, without it the sources' build is
 * loaded. `wanted` keeps the test files whose path contains it, `among` those that it lists, `windows`
 * those that run in windows of these names. `repeat` tells one of several runs from the others. `all` has
 * every case of a table tried. Without a `bundle`, the folder of all editor tests that buildEditorTests made before, it has one made.
 * Resolves to `{ passed, failures, skipped, folders }`, the last being what the run left; a window that
 * never ends, or nothing to run, is a failure.
 */
export async function runEditorTests(options) {
  const {
    host,
    wanted = "",
    among,
    windows,
    repeat = "",
    vsix,
    all: everything,
    ...built
  } = options;
  const isPackaged = vsix !== undefined;
  const run = [host, isPackaged ? "packaged" : "", wanted.replaceAll(/\W+/g, "-"), repeat]
    .filter((part) => part !== "")
    .join("-");
  const all = { passed: 0, failures: [], skipped: [], folders: [] };
  const isWanted = (file) => file.includes(wanted) && (among?.includes(file) ?? true);
  const shares = [...filesOfParts(await testFilesBelow("test/editor"), editorWindows)]
    .map(([window, files]) => ({ window, files: files.filter(isWanted) }))
    .filter(({ window, files }) => files.length > 0 && (windows?.includes(window.name) ?? true));
  const bundle = built.bundle ?? join(out, "test/editor", run);
  if (built.bundle === undefined) {
    await buildEditorTests({ outdir: bundle, files: shares.flatMap(({ files }) => files) });
    all.folders.push(bundle);
  }
  for (const { window, files } of shares) {
    if (window.hosts?.includes(host) === false) {
      const shown = `VS Code's server build, ${window.hosts.join(" or ")}, alone can show this`;
      all.skipped.push(...files.map((file) => `${file}: ${shown}`));
      continue;
    }
    const name = `${run}-${window.name}`;
    const dataFolder = join(downloads, "runs", `${run}-${window.continues ?? window.name}`);
    const counts = await runEditorWindow(window, {
      host,
      vsix,
      files,
      name,
      dataFolder,
      bundle,
      all: everything,
    });
    all.folders.push(dataFolder, join(out, "editor", name));
    all.passed += counts.passed;
    all.failures.push(...counts.failures);
    all.skipped.push(...counts.skipped);
  }
  if (all.passed + all.failures.length + all.skipped.length === 0)
    all.failures.push(`${run}: there is no such test`);
  return all;
}
