import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as esbuild from "esbuild";
import { out, root } from "./editor/paths.mjs";
import { oldestNode } from "./node/packagedNode.mjs";

/** Unlike a bundler, Node.js does not import JSON of a package. */
const bundledJson = {
  name: "bundled-json",
  setup: (build) => {
    const { resolve } = createRequire(import.meta.url);
    build.onResolve({ filter: /^[^./].*\.json$/ }, ({ path }) => ({ path: resolve(path) }));
  },
};

/** Bundles a TypeScript module of this repository and loads it. */
export async function importTypeScript(source) {
  const outfile = join(out, source.replace(/\.ts$/, ".mjs"));
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: [source],
    outfile,
    bundle: true,
    packages: "external",
    plugins: [bundledJson],
    platform: "node",
    format: "esm",
    target: `node${oldestNode}`,
    sourcemap: "inline",
    logLevel: "warning",
  });
  return import(pathToFileURL(outfile).href);
}
