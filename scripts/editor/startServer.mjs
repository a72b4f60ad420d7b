import { join } from "node:path";
import { untilPrinted } from "./untilPrinted.mjs";

/**
 * Starts VS Code's server on a socket file. `dataFolder` contains settings and state, `extensionsFolder` the installed
 * extensions. `trustEverything: false` leads to Restricted Mode; `env` is for the extension host. Resolves once windows
 * can be opened.
 */
export async function startServer(
  processes,
  host,
  { socket, dataFolder, extensionsFolder, trustEverything = true, env = {}, onOutput },
) {
  const child = processes.start(
    host.node,
    [
      host.server,
      "--socket-path",
      socket,
      "--without-connection-token",
      "--accept-server-license-terms",
      ...storage({ dataFolder, extensionsFolder }),
      "--telemetry-level",
      "off",
      ...(trustEverything ? ["--disable-workspace-trust"] : []),
    ],
    // Without a gallery, it requests no extensions or updates.
    { env: { ...process.env, EXTENSIONS_GALLERY: "{}", ...env } },
  );
  if (onOutput !== undefined) {
    for (const stream of [child.stdout, child.stderr]) stream.on("data", onOutput);
  }
  await untilPrinted(child, /Extension host agent started/, "VS Code's server");
  return child;
}

/** Returns the file with the user's settings of a server with this data. */
export function settingsFile(dataFolder) {
  return join(dataFolder, "data/User/settings.json");
}

/** Returns the folder with the invocations that the extension of such a server records. */
export function machineFolder(dataFolder) {
  return join(dataFolder, "machine");
}

/** Returns the flags for the folders of a server's data. */
export function storage({ dataFolder, extensionsFolder = join(dataFolder, "extensions") }) {
  return ["--server-data-dir", dataFolder, "--extensions-dir", extensionsFolder];
}
