// Takes pictures of the skill page in every theme, state and tab: node scripts/pictures/pageShots.mjs [folder]
import { root } from "../editor/paths.mjs";
import { ensureInstalled } from "../ensureInstalled.mjs";

await ensureInstalled();
const { importTypeScript } = await import("../importTypeScript.mjs");
process.chdir(root);
await importTypeScript("test/webview/takeShots.ts");
