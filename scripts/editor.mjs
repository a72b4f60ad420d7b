// Runs the editor tests in a real VS Code: `node scripts/editor.mjs [newest|oldest|desktop] [part of a
// file's path]`, on its own against the sources as they are.
import { ensureInstalled } from "./ensureInstalled.mjs";

ensureInstalled();
const { runEditorTests } = await import("./runEditorTests.mjs");
const { buildExtension } = await import("../esbuild.mjs");

const [host = "newest", wanted = ""] = process.argv.slice(2);
await buildExtension();
const { failures } = await runEditorTests({ host, wanted });
process.exitCode = failures.length === 0 ? 0 : 1;
