import { join } from "node:path";
import { downloads, out } from "../editor/paths.mjs";
import { filesOfParts, testFilesBelow } from "../suite/testFiles.mjs";
import { buildEditorTests } from "./buildEditorTests.mjs";
import { editorWindows } from "./editorWindows.mjs";
import { runEditorWindow } from "./runEditorWindow.mjs";

/**
 * Runs editor tests in `host` (`newest`, `oldest` or `desktop`), one window after the other. With `vsix`, the packaged
 * extension is installed into a clean profile; otherwise the build of the sources is loaded. `wanted` keeps test files
 * whose path contains it, `among` the listed ones, and `windows` those of the named windows. `repeat` is the number of
 * a repeated run. `all` runs every case of tables. `bundle` is a folder made by buildEditorTests; by default one is
 * made. Resolves to readCounts' counts with the `folders` of the results. A window that never
 * ends, or no test to run, counts as a failure.
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
  const all = { passed: 0, failures: [], skipped: [], slowest: [], folders: [] };
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
    all.slowest.push(...counts.slowest);
  }
  if (all.passed + all.failures.length + all.skipped.length === 0)
    all.failures.push(`${run}: there is no such test`);
  return all;
}
