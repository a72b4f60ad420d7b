import { resolve } from "node:path";
import * as esbuild from "esbuild";

/** Builds the thread of completion and hover as the extension does and gives the path of the file. */
export async function buildAssistanceWorker(): Promise<string> {
  const outfile = resolve("out/test/assistance/assistanceWorker.js");
  await esbuild.build({
    entryPoints: [resolve("src/assistance/assistanceWorker.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    mainFields: ["module", "main"],
    logLevel: "warning",
  });
  return outfile;
}
