// Takes pictures of the skill page in every theme, state and tab: node scripts/pictures/pageShots.mjs [folder]
import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as esbuild from "esbuild";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const outfile = resolve(root, "out/test/webview/takeShots.mjs");

process.chdir(root);
await esbuild.build({
  absWorkingDir: root,
  entryPoints: ["test/webview/takeShots.ts"],
  outfile,
  bundle: true,
  packages: "external",
  platform: "node",
  format: "esm",
  target: "node20",
  logLevel: "warning",
});
await import(pathToFileURL(outfile).href);
