// Writes docs/cli.md from the table of commands: npm run docs.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cliDocument } from "./docs/cliDocument.mjs";
import { root } from "./editor/paths.mjs";
import { ensureInstalled } from "./ensureInstalled.mjs";

await ensureInstalled();
const { importTypeScript } = await import("./importTypeScript.mjs");
const { commands } = await importTypeScript("src/cli/cli.ts");
const help = await importTypeScript("src/cli/program/help.ts");
await writeFile(join(root, "docs/cli.md"), cliDocument({ commands, ...help }));
