import { rm } from "node:fs/promises";
import { join } from "node:path";
import * as esbuild from "esbuild";
import { out, root } from "../test/host/paths.mjs";

/**
 * Bundles test/editor for the run `name`: index.ts and the test files whose path contains `wanted`.
 * Resolves to index.js.
 */
export async function buildEditorTests({ name, wanted }) {
  const outdir = join(out, "test/editor", name);
  await rm(outdir, { recursive: true, force: true });
  const options = {
    absWorkingDir: root,
    outbase: "test/editor",
    bundle: true,
    packages: "external",
    external: ["vscode"],
    platform: "node",
    format: "cjs",
    target: "node22",
    sourcemap: "inline",
    logLevel: "warning",
  };
  const found = await esbuild.build({
    ...options,
    entryPoints: ["test/editor/**/*.test.ts"],
    outdir,
    write: false,
    metafile: true,
  });
  const tests = Object.values(found.metafile.outputs).map((output) => output.entryPoint);
  const entryPoints = ["test/editor/index.ts", ...tests.filter((path) => path?.includes(wanted))];
  await esbuild.build({ ...options, entryPoints, outdir });
  return join(outdir, "index.js");
}
