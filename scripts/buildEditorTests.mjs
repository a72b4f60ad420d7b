import { rm } from "node:fs/promises";
import { join } from "node:path";
import * as esbuild from "esbuild";
import { out, root } from "../test/host/paths.mjs";

/**
 * Bundles the editor tests `tests` (a pattern) whose path contains `wanted` for the run `name`, and
 * index.ts, which runs them. Resolves to index.js, or to nothing where no test is wanted.
 */
export async function buildEditorTests({ name, tests, wanted }) {
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
    entryPoints: [tests],
    outdir,
    write: false,
    metafile: true,
  });
  const files = Object.values(found.metafile.outputs)
    .map((output) => output.entryPoint)
    .filter((path) => path?.includes(wanted));
  if (files.length === 0) return undefined;
  await esbuild.build({ ...options, entryPoints: ["test/editor/index.ts", ...files], outdir });
  return join(outdir, "index.js");
}
