import { runQuietly } from "../runQuietly.mjs";
import { storage } from "../startServer.mjs";
import { installServerHost } from "./installServerHost.mjs";

/** Installs a .vsix into an extensions folder, as `code --install-extension` does. */
export async function installExtension({ name, dataFolder, extensionsFolder, file }) {
  const { node, server } = await installServerHost(name);
  await runQuietly(node, [
    server,
    ...storage({ dataFolder, extensionsFolder }),
    "--accept-server-license-terms",
    "--install-extension",
    file,
  ]);
}
