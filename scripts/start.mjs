// Builds the extension and opens VS Code with it: npm start. Desktop VS Code if `code` is on the PATH,
// else (or with `-- --browser`) the one that npm carries, in a browser. Settings, keys and history are
// kept in .vscode-test/user-data from start to start. Ctrl+C ends everything.
import { ensureInstalled } from "./ensureInstalled.mjs";

ensureInstalled();
const { buildExtension } = await import("../esbuild.mjs");
const { findOnPath } = await import("../test/host/findOnPath.mjs");
const { startDesktop } = await import("./startDesktop.mjs");
const { startInBrowser } = await import("./startInBrowser.mjs");

await buildExtension();
const code = process.argv.includes("--browser") ? undefined : await findOnPath(["code"]);
const editor = code === undefined ? startInBrowser() : startDesktop(code);

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => editor.end());
process.exit(await editor.ended);
