import { join } from "node:path";
import { downloads } from "../test/host/paths.mjs";
import { editorWindows } from "./editorWindows.mjs";
import { runEditorWindow } from "./runEditorWindow.mjs";

/**
 * Runs the editor tests in `host`: `newest`, `oldest` or `desktop`, each window of theirs in turn. With
 * `vsix` the packaged extension is installed into a clean profile, without it the sources' build is
 * loaded. `wanted` keeps the test files whose path contains it. Resolves to `{ passed, failures }`; a
 * window that never ends, or nothing to run, is a failure.
 */
export async function runEditorTests({ host, wanted = "", ...options }) {
  const run = [host, options.vsix === undefined ? "" : "packaged", wanted.replaceAll(/\W+/g, "-")]
    .filter((part) => part !== "")
    .join("-");
  let passed = 0;
  const failures = [];
  for (const window of editorWindows) {
    if (host === "desktop" && (window.restricted || window.language)) continue;
    const counts = await runEditorWindow(window, {
      ...options,
      host,
      wanted,
      name: `${run}-${window.name}`,
      dataFolder: join(downloads, "runs", `${run}-${window.continues ?? window.name}`),
    });
    passed += counts.passed;
    failures.push(...counts.failures);
  }
  if (passed + failures.length === 0) failures.push(`${run}: there is no such test`);
  return { passed, failures };
}
