// Builds the extension and opens VS Code with it: npm start. Uses desktop VS Code if `code` is on the PATH, else (or
// with `-- --browser`) the one from npm in a browser. Settings, keys and history stay in .vscode-test/user-data. Ctrl+C
// ends everything.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { downloads, root } from "./editor/paths.mjs";
import { machineFolder } from "./editor/startServer.mjs";
import { ensureInstalled } from "./ensureInstalled.mjs";

await ensureInstalled();
const { buildExtension } = await import("../esbuild.mjs");
const { findOnPath } = await import("./editor/findOnPath.mjs");
const { startInBrowser } = await import("./startInBrowser.mjs");

await buildExtension();
const code = process.argv.includes("--browser") ? undefined : await findOnPath(["code"]);
const editor = code === undefined ? startInBrowser() : startDesktop(code);

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => editor.end());
process.exit(await editor.ended);

/**
 * Opens desktop VS Code with the extension, separate from a person's own windows, settings and extensions. `code` is
 * its command. Returns `end()`, which closes it, and the promise `ended` of the exit code once its last window has
 * closed.
 */
function startDesktop(code) {
  const dataFolder = join(downloads, "desktop-data");
  const child = spawn(
    code,
    [
      "--wait",
      "--new-window",
      `--extensionDevelopmentPath=${root}`,
      `--user-data-dir=${dataFolder}`,
      `--extensions-dir=${join(dataFolder, "extensions")}`,
      "--skip-welcome",
      "--skip-release-notes",
    ],
    {
      stdio: "inherit",
      shell: process.platform === "win32",
      env: { ...process.env, SKILL_REGISTRY_HOME: machineFolder(dataFolder) },
    },
  );
  console.log("VS Code is open. Close its window, or press Ctrl+C here, to end.");
  return {
    ended: new Promise((done, fail) => {
      child.once("error", fail).once("exit", (exitCode) => done(exitCode ?? 0));
    }),
    end() {
      endWindows(dataFolder);
      child.kill();
    },
  };
}

/** Ends VS Code by the process number that it writes there, since the command only starts it. */
function endWindows(dataFolder) {
  try {
    process.kill(Number(readFileSync(join(dataFolder, "code.lock"), "utf8")));
  } catch {
    // It has not started yet, or has ended.
  }
}
