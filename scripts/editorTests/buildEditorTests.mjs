import { rm } from "node:fs/promises";
import * as esbuild from "esbuild";
import { root } from "../editor/paths.mjs";
import { oldestNode } from "../node/packagedNode.mjs";

/** Bundles editor tests into `outdir`, and index.ts, which runs them. */
export async function buildEditorTests({ outdir, files }) {
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
    target: `node${oldestNode}`,
    sourcemap: "inline",
    logLevel: "warning",
  });
}
