import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { downloads, root } from "../test/host/paths.mjs";

/**
 * Opens desktop VS Code with the extension, apart from the windows, settings and extensions a person
 * has in theirs. `code` is its command. Returns `end()`, which closes it, and the promise `ended`, of
 * the exit code once its last window is closed.
 */
export function startDesktop(code) {
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
    { stdio: "inherit", shell: process.platform === "win32" },
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

/** The command only starts VS Code, which runs apart from it and notes its process here. */
function endWindows(dataFolder) {
  try {
    process.kill(Number(readFileSync(join(dataFolder, "code.lock"), "utf8")));
  } catch {
    // It has not started yet, or has ended.
  }
}
