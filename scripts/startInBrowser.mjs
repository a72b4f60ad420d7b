import { existsSync } from "node:fs";
import { join } from "node:path";
import { windowUrl } from "./editor/browser/windowUrl.mjs";
import { downloads, root } from "./editor/paths.mjs";
import { quietSettings } from "./editor/runSettings.mjs";
import { startEditor } from "./editor/startEditor.mjs";
import { startProcesses } from "./editor/startProcesses.mjs";
import { settingsFile } from "./editor/startServer.mjs";

/** The port of every start, if it is free, since a browser stores a window's state by its address. */
const usualPort = 7438;

/**
 * Starts the VS Code from npm with the extension, and prints the address to open. Returns `end()` and the promise
 * `ended` of the exit code once nothing is left running.
 */
export function startInBrowser() {
  const processes = startProcesses();
  let stop = () => {};
  const stopped = new Promise((done) => {
    stop = done;
  });
  const running = start(processes).then((server) => {
    server.once("exit", () => stop(1));
  });
  running.catch((error) => {
    console.error(error.message);
    stop(1);
  });
  const ended = stopped.then(async (code) => {
    await processes.end();
    console.log("VS Code has ended.");
    return code;
  });
  return { ended, end: () => stop(0) };
}

async function start(processes) {
  const dataFolder = join(downloads, "user-data");
  const options = { name: "newest", dataFolder, extensions: [root], port: usualPort };
  if (!existsSync(settingsFile(dataFolder))) options.settings = quietSettings();
  const { authority, server } = await startEditor(processes, options);
  console.log(`\nOpen ${windowUrl(authority, {})} in a browser. Ctrl+C here ends VS Code.\n`);
  return server;
}
