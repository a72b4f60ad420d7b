import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { addDevelopmentOptions } from "./browser/addDevelopmentOptions.mjs";
import {
  isWorkbenchScript,
  letDialogsShow,
  letNotificationsShow,
  showAtOnce,
} from "./browser/letTestsSee.mjs";
import { openFrontDoor } from "./frontDoor.mjs";
import { installServerHost } from "./install/installServerHost.mjs";
import { machineFolder, settingsFile, startServer } from "./startServer.mjs";

/**
 * Makes VS Code reachable in a browser: installs missing parts, writes `settings` (default: keeps the existing ones),
 * starts the server and opens its front door. The default `port` is the last one used with the same data, if free,
 * since a browser stores a window's state by its address. `name` is `newest` or `oldest`; `extensions` and `tests` are
 * addDevelopmentOptions', `hear` is openFrontDoor's, the rest startServer's. Resolves to the `authority` to open and
 * the `server` process; `processes` ends both.
 */
export async function startEditor(processes, options) {
  const { name, settings, port, extensions, tests, hear, dataFolder, ...serverOptions } = options;
  const host = await installServerHost(name);
  const file = settingsFile(dataFolder);
  await mkdir(dirname(file), { recursive: true });
  if (settings !== undefined) await writeFile(file, JSON.stringify(settings, null, 2));
  const sockets = await mkdtemp(join(shortTemporaryFolder(), "skr-"));
  processes.removeAtEnd(sockets);
  const socket = join(sockets, "server.sock");
  const server = await startServer(processes, host, {
    ...serverOptions,
    dataFolder,
    socket,
    env: {
      // The window gets its own record and limits, apart from those of the person who tries it.
      SKILL_REGISTRY_HOME: machineFolder(dataFolder),
      ...serverOptions.env,
      TMPDIR: sockets,
      XDG_RUNTIME_DIR: sockets,
    },
  });
  const door = await openFrontDoor({
    socket,
    port: port ?? (await lastPort(dataFolder)),
    secret: await keptSecret(join(dataFolder, "secret.key")),
    hear,
    editorOf: (path) => {
      if (isWindow(path)) {
        const development = { extensions, tests: isWithoutTests(path) ? undefined : tests };
        const edit = tests === undefined ? (page) => page : showAtOnce;
        return (page, authority) => edit(addDevelopmentOptions(page, authority, development));
      }
      if (tests === undefined || !isWorkbenchScript(path)) return undefined;
      return (script) => letNotificationsShow(letDialogsShow(script));
    },
  });
  processes.atEnd(door.close);
  await writeFile(portFile(dataFolder), new URL(`http://${door.authority}`).port);
  return { authority: door.authority, server };
}

function isWindow(path) {
  return /^\/(\?|$)/.test(path);
}

/** Returns whether the address of a further window says that it runs no tests. */
function isWithoutTests(path) {
  return new URL(path, "http://window").searchParams.has("without-tests");
}

function portFile(dataFolder) {
  return join(dataFolder, "port");
}

async function lastPort(dataFolder) {
  return Number(await readFile(portFile(dataFolder), "utf8").catch(() => "0"));
}

/**
 * Returns a short temporary folder, since a socket's path may have about 100 characters and VS Code adds 50 of its own.
 */
function shortTemporaryFolder() {
  return process.platform === "darwin" ? "/tmp" : tmpdir();
}

/** Resolves to 32 random bytes, which stay the same for the same data. */
async function keptSecret(file) {
  try {
    await writeFile(file, randomBytes(32), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  return readFile(file);
}
