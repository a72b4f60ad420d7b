import { join } from "node:path";
import { untilPrinted } from "./untilPrinted.mjs";

/**
 * Starts VS Code's server on a socket file. `dataFolder` keeps settings and state, `extensionsFolder`
 * the installed extensions, `trustEverything: false` brings Restricted Mode, `env` reaches the
 * extension host. Resolves once windows can be opened.
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
    // Without a gallery it asks no one for extensions and updates.
    { env: { ...process.env, EXTENSIONS_GALLERY: "{}", ...env } },
  );
  if (onOutput !== undefined) {
    for (const stream of [child.stdout, child.stderr]) stream.on("data", onOutput);
  }
  await untilPrinted(child, /Extension host agent started/, "VS Code's server");
  return child;
}

/** Where a server with this data keeps the user's settings. */
export function settingsFile(dataFolder) {
  return join(dataFolder, "data/User/settings.json");
}

/** Where the extension of a server with this data keeps its record of invocations. */
export function machineFolder(dataFolder) {
  return join(dataFolder, "machine");
}

/** The flags that say where a server keeps its data. */
export function storage({ dataFolder, extensionsFolder = join(dataFolder, "extensions") }) {
  return ["--server-data-dir", dataFolder, "--extensions-dir", extensionsFolder];
}
