import { join } from "node:path";
import { downloads, out } from "../test/host/paths.mjs";
import { editorWindows } from "./editorWindows.mjs";
import { runEditorWindow } from "./runEditorWindow.mjs";
import { filesOfParts, testFilesBelow } from "./testFiles.mjs";

/**
 * Runs editor tests in `host`: `newest`, `oldest` or `desktop`, each window of theirs in turn. With
 * `vsix` the packaged extension is installed into a clean profile, without it the sources' build is
 * loaded. `wanted` keeps the test files whose path contains it, `among` those that it lists, `windows`
 * those that run in windows of these names. `repeat` tells one of several runs from the others.
 * Resolves to `{ passed, failures, skipped, folders }`, the last being what the run left; a window that
 * never ends, or nothing to run, is a failure.
 */
export async function runEditorTests({ host, wanted = "", among, windows, repeat = "", vsix }) {
  const isPackaged = vsix !== undefined;
  const run = [host, isPackaged ? "packaged" : "", wanted.replaceAll(/\W+/g, "-"), repeat]
    .filter((part) => part !== "")
    .join("-");
  const all = { passed: 0, failures: [], skipped: [], folders: [] };
  for (const [window, owned] of filesOfParts(await testFilesBelow("test/editor"), editorWindows)) {
    const files = owned.filter((file) => file.includes(wanted) && (among?.includes(file) ?? true));
    if (files.length === 0 || !(windows?.includes(window.name) ?? true)) continue;
    if (host === "desktop" && (window.restricted || window.language)) {
      all.skipped.push(
        ...files.map((file) => `${file}: only VS Code's server build can show this`),
      );
      continue;
    }
    const name = `${run}-${window.name}`;
    const dataFolder = join(downloads, "runs", `${run}-${window.continues ?? window.name}`);
    const counts = await runEditorWindow(window, { host, vsix, files, name, dataFolder });
    all.folders.push(dataFolder, join(out, "editor", name), join(out, "test/editor", name));
    all.passed += counts.passed;
    all.failures.push(...counts.failures);
    all.skipped.push(...counts.skipped);
  }
  if (all.passed + all.failures.length === 0) all.failures.push(`${run}: there is no such test`);
  return all;
}
