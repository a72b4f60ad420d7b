import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openFrontDoor } from "./frontDoor.mjs";
import { installServerHost } from "./installServerHost.mjs";
import { settingsFile, startServer } from "./startServer.mjs";

/**
 * Makes VS Code reachable in a browser: installs what is missing, writes `settings` (none: keeps what
 * is there), starts the server and opens its front door on `port` (0: a free one). `name` is `newest`
 * or `oldest`; the other options are startServer's. Resolves to the `authority` to open and the
 * `server` process; `processes` ends both.
 */
export async function startEditor(processes, { name, settings, port = 0, ...options }) {
  const host = await installServerHost(name);
  const { dataFolder } = options;
  const file = settingsFile(dataFolder);
  await mkdir(dirname(file), { recursive: true });
  if (settings !== undefined) await writeFile(file, JSON.stringify(settings, null, 2));
  const sockets = await mkdtemp(join(shortTemporaryFolder(), "skr-"));
  processes.atEnd(() => rm(sockets, { recursive: true, force: true }));
  const socket = join(sockets, "server.sock");
  const env = { ...options.env, TMPDIR: sockets, XDG_RUNTIME_DIR: sockets };
  const server = await startServer(processes, host, { ...options, env, socket });
  const secretFile = join(dataFolder, "secret.key");
  const door = await openFrontDoor({ socket, secretFile, port });
  processes.atEnd(door.close);
  return { authority: door.authority, server };
}

/** A socket's path may have about 100 characters, and VS Code adds 50 of its own. */
function shortTemporaryFolder() {
  return process.platform === "darwin" ? "/tmp" : tmpdir();
}
