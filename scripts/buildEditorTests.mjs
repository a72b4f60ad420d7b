import { rm } from "node:fs/promises";
import { join } from "node:path";
import * as esbuild from "esbuild";
import { out, root } from "../test/host/paths.mjs";

/** Bundles editor tests for the run `name`, and index.ts, which runs them. Resolves to index.js. */
export async function buildEditorTests({ name, files }) {
  const outdir = join(out, "test/editor", name);
  await rm(outdir, { recursive: true, force: true });
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: ["test/editor/index.ts", ...files],
    outbase: "test/editor",
    outdir,
    bundle: true,
    packages: "external",
    external: ["vscode"],
    platform: "node",
    format: "cjs",
    target: "node22",
    sourcemap: "inline",
    logLevel: "warning",
  });
  return join(outdir, "index.js");
}
