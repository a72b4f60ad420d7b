// Bundles the extension. Each part that is needed late is a file of its own, loaded on first use:
// a dynamic import() of a module named in `lateParts` is left in place and points at that file.
import { rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureInstalled } from "./scripts/ensureInstalled.mjs";

ensureInstalled();
const esbuild = await import("esbuild");
const root = dirname(fileURLToPath(import.meta.url));

/** Bundle name → source, for the parts of the extension host that load on first use. */
const lateParts = {
  registryClient: "src/registry/registryClient.ts",
  payloadChecker: "src/validation/payloadChecker.ts",
};

/** Bundle name → source, for the files that run in a thread or process of their own. */
const ownThreads = {
  validationWorker: "src/validation/validationWorker.ts",
  localRegistryWorker: "src/localRegistry/localRegistryWorker.ts",
  localRegistryCli: "src/localRegistry/localRegistryCli.ts",
};

const latePartsStayOutside = {
  name: "late-parts",
  setup(build) {
    const bySource = new Map(
      Object.entries(lateParts).map(([name, source]) => [resolve(root, source), name]),
    );
    build.onResolve({ filter: /^\.{1,2}\// }, (args) => {
      if (args.kind !== "dynamic-import") return undefined;
      const name = bySource.get(`${resolve(args.resolveDir, args.path)}.ts`);
      return name === undefined ? undefined : { path: `./${name}.js`, external: true };
    });
  },
};

function entries(parts) {
  return Object.entries(parts).map(([out, source]) => ({ out, in: resolve(root, source) }));
}

/** Builds everything the extension ships. Fails by throwing, with esbuild's own messages printed. */
export async function buildExtension({ watch = false, outdir = "dist" } = {}) {
  await rm(resolve(root, outdir), { recursive: true, force: true });
  const shared = {
    absWorkingDir: root,
    outdir,
    bundle: true,
    minify: !watch,
    sourcemap: watch ? "linked" : false,
    logLevel: "warning",
    legalComments: "none",
  };
  const node = {
    ...shared,
    platform: "node",
    format: "cjs",
    target: "node22",
    external: ["vscode"],
    // jsonc-parser's "main" is UMD, whose requires esbuild cannot follow.
    mainFields: ["module", "main"],
    plugins: [latePartsStayOutside],
    entryPoints: [
      { out: "extension", in: resolve(root, "src/extension.ts") },
      ...entries(lateParts),
      ...entries(ownThreads),
    ],
  };
  const page = {
    ...shared,
    platform: "browser",
    format: "iife",
    target: "es2022",
    entryPoints: entries({ skillPage: "webview/skillPage.ts" }),
  };
  if (!watch) return void (await Promise.all([esbuild.build(node), esbuild.build(page)]));
  for (const options of [node, page]) {
    const context = await esbuild.context({ ...options, logLevel: "info" });
    await context.watch();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildExtension({ watch: process.argv.includes("--watch") });
}
