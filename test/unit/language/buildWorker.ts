import { resolve } from "node:path";
import * as esbuild from "esbuild";

/** Builds the language thread, in one file, and gives the path of the file. */
export async function buildWorker(): Promise<string> {
  const outfile = resolve("out/test/language/languageWorker.js");
  await esbuild.build({
    entryPoints: [resolve("src/language/languageWorker.ts")],
    outfile,
    bundle: true,
    minify: true,
    platform: "node",
    format: "cjs",
    target: "node22",
    mainFields: ["module", "main"],
    logLevel: "warning",
  });
  return outfile;
}
