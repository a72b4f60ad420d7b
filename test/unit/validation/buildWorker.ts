import { resolve } from "node:path";
import * as esbuild from "esbuild";

/** Builds the validation worker as the extension does and gives the path of the file. */
export async function buildWorker(): Promise<string> {
  const outfile = resolve("out/test/validation/validationWorker.js");
  await esbuild.build({
    entryPoints: [resolve("src/validation/validationWorker.ts")],
    outfile,
    bundle: true,
    minify: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    logLevel: "warning",
  });
  return outfile;
}
