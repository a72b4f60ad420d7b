// Runs the editor tests in a real VS Code with the current sources: `node scripts/editor.mjs [newest|oldest|desktop]
// [part of a file's path]`. `--repeat 10` runs them that often, each time in a fresh window, and counts failures; the
// results of each failed run are kept. `--load 2` keeps two processes busy beside the window, as on a busy machine.
import { rm } from "node:fs/promises";
import { parseArgs } from "node:util";
import { ensureInstalled } from "./ensureInstalled.mjs";

await ensureInstalled();
const { skippedLines } = await import("./suite/tools.mjs");
const { runEditorTests } = await import("./editorTests/runEditorTests.mjs");
const { buildExtension } = await import("../esbuild.mjs");
const { startProcesses } = await import("./editor/startProcesses.mjs");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    repeat: { type: "string", default: "1" },
    load: { type: "string", default: "0" },
  },
});
const [host = "newest", wanted = ""] = positionals;
const [runs, busy] = [values.repeat, values.load].map(Number);
if (!(runs >= 1 && busy >= 0)) {
  console.error("--repeat takes how often to run, --load how many processes to keep busy.");
  process.exit(1);
}

await buildExtension();
const processes = startProcesses();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.once(signal, () => processes.end().then(() => process.exit(1)));
}
for (let started = 0; started < busy; started += 1) {
  processes.start(process.execPath, ["-e", "for (;;);"]);
}
/** Maps each failure's line to the runs that had it. */
const failedIn = new Map();
for (let run = 1; run <= runs; run += 1) {
  if (runs > 1) console.log(`\n━━ run ${run} of ${runs}`);
  const repeat = runs > 1 ? `repeat${run}` : undefined;
  const { failures, skipped, folders } = await runEditorTests({ host, wanted, repeat });
  for (const line of skippedLines(skipped)) console.log(line);
  for (const line of failures) failedIn.set(line, [...(failedIn.get(line) ?? []), run]);
  if (repeat === undefined || failures.length > 0) continue;
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
}
await processes.end();
if (runs > 1) {
  const failed = new Set([...failedIn.values()].flat());
  console.log(`\n${runs} runs, ${failed.size} of them failed`);
  for (const [line, those] of failedIn) {
    console.log(`✘ ${those.length} × ${line} (run ${those.join(", ")})`);
  }
}
process.exitCode = failedIn.size === 0 ? 0 : 1;
