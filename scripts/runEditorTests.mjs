import { join } from "node:path";
import { downloads, out } from "../test/host/paths.mjs";
import { editorWindows } from "./editorWindows.mjs";
import { runEditorWindow } from "./runEditorWindow.mjs";

/**
 * Runs the editor tests in `host`: `newest`, `oldest` or `desktop`, each window of theirs in turn. With
 * `vsix` the packaged extension is installed into a clean profile, without it the sources' build is
 * loaded. `wanted` keeps the test files whose path contains it, `repeat` tells one of several runs from
 * the others. Resolves to `{ passed, failures, folders }`, the last being what the run left; a window that never ends, or nothing to run, is a failure.
 */
export async function runEditorTests({ host, wanted = "", repeat = "", ...options }) {
  const isPackaged = options.vsix !== undefined;
  const run = [host, isPackaged ? "packaged" : "", wanted.replaceAll(/\W+/g, "-"), repeat]
    .filter((part) => part !== "")
    .join("-");
  let passed = 0;
  const failures = [];
  const folders = new Set();
  for (const window of editorWindows) {
    if (host === "desktop" && (window.restricted || window.language)) continue;
    const name = `${run}-${window.name}`;
    const dataFolder = join(downloads, "runs", `${run}-${window.continues ?? window.name}`);
    const counts = await runEditorWindow(window, { ...options, host, wanted, name, dataFolder });
    for (const folder of [dataFolder, join(out, "editor", name), join(out, "test/editor", name)]) {
      folders.add(folder);
    }
    passed += counts.passed;
    failures.push(...counts.failures);
  }
  if (passed + failures.length === 0) failures.push(`${run}: there is no such test`);
  return { passed, failures, folders };
}
