// Bundles the extension. Each part that is needed late is a file of its own, loaded on first use:
// a dynamic import() of a module named in `lateParts` is left in place and points at that file.
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureInstalled } from "./scripts/ensureInstalled.mjs";
import { oldestNode } from "./scripts/node/packagedNode.mjs";
import { aboutCommandLine, aboutName } from "./scripts/packaging/packageCommandLine.mjs";
import { textsIn } from "./scripts/packaging/pageTexts.mjs";
import { shareModules } from "./scripts/packaging/sharedModules.mjs";
import { billName, softwareBill } from "./scripts/packaging/softwareBill.mjs";
import {
  bundledPackages,
  noticesName,
  thirdPartyNotices,
} from "./scripts/packaging/thirdPartyNotices.mjs";

await ensureInstalled();
const esbuild = await import("esbuild");
const root = dirname(fileURLToPath(import.meta.url));

/** Bundle name → source, for the parts that load on first use. */
const lateParts = {
  app: "src/host/app.ts",
  glanceAtReviews: "src/host/connect/glanceAtReviews.ts",
  offerTerminals: "src/host/terminal/offerTerminals.ts",
  registryClient: "src/registry/registryClient.ts",
  windowClient: "src/window/windowClient.ts",
  windowLink: "src/window/link.ts",
  languageClient: "src/language/languageClient.ts",
  mcp: "src/mcp/serveMcp.ts",
  commands: "src/cli/cli.ts",
  agentServer: "src/cli/commands/mcp/agentServer.ts",
  store: "src/engine/store/thread/serveStore.ts",
  yaml: "src/host/publish/readYaml.ts",
};

/** Bundle name → source, for the files that run in a thread or process of their own. */
const ownThreads = {
  languageWorker: "src/language/languageWorker.ts",
  storeWorker: "src/engine/store/thread/storeWorker.ts",
  localRegistryWorker: "src/localRegistry/localRegistryWorker.ts",
  localRegistryCli: "src/localRegistry/localRegistryCli.ts",
  cli: "src/cli/main.ts",
};

/**
 * Shared bundle → the bundles that load it. A module that all of these load is in the first shared bundle in which it
 * can be.
 */
const sharedFiles = {
  sharedSchemas: ["app", "commands", "agentServer", "languageWorker", "localRegistryWorker"],
  sharedWork: ["app", "commands"],
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

/**
 * Has each bundle load the editor's API once. esbuild makes a copy of a module that stays outside for each file that
 * imports it, with a getter for each of its 400 names: 105 copies in `app`. `exported` is the module that all files
 * import instead.
 */
export const oneEditor = (exported) => ({
  name: "one-editor",
  setup(build) {
    build.onResolve({ filter: /^vscode$/ }, ({ namespace }) =>
      namespace === "one-editor" ? undefined : { path: "vscode", namespace: "one-editor" },
    );
    build.onLoad({ filter: /.*/, namespace: "one-editor" }, () => ({ contents: exported }));
  },
});

/** Returns a module that reads of the editor's API what is imported, without a getter for each name. */
async function editorByName() {
  const types = await readFile(resolve(root, "node_modules/@types/vscode/index.d.ts"), "utf8");
  const values = /^\texport (?:class|namespace|enum|const|function) (\w+)/gm;
  const names = new Set([...types.matchAll(values)].map(([, name]) => name));
  return [
    'const editor = require("vscode"); const part = (name) => editor[name];',
    ...[...names].map((name) => `export const ${name} = /* @__PURE__ */ part("${name}");`),
  ].join("\n");
}

/** The SDK of the server would contain ajv to check schemas; ours are checked here. */
export const serverWithoutAjv = {
  name: "server-without-ajv",
  setup(build) {
    build.onResolve({ filter: /^\.\/ajvProvider-/ }, ({ path }) => ({ path, namespace: "no-ajv" }));
    build.onLoad({ filter: /.*/, namespace: "no-ajv" }, () => ({
      contents:
        "export class n { getValidator() { return (data) => ({ valid: true, data }); } } export { n as t };",
    }));
  },
};

function entries(parts) {
  return Object.entries(parts).map(([out, source]) => ({ out, in: resolve(root, source) }));
}

/**
 * Builds everything the extension ships, with the licenses of what is bundled. Resolves to the names of
 * the bundled packages' folders. Fails by throwing, with esbuild's own messages printed.
 */
export async function buildExtension({ watch = false, outdir = "dist" } = {}) {
  const shared = {
    absWorkingDir: root,
    outdir,
    bundle: true,
    minify: !watch,
    sourcemap: watch ? "linked" : false,
    logLevel: "warning",
    legalComments: "none",
    metafile: true,
  };
  const node = {
    ...shared,
    platform: "node",
    format: "cjs",
    // The command line runs in an older Node.js than any editor's.
    target: `node${oldestNode}`,
    // An import() would first look in the text for what kind of module it is; require() knows.
    supported: { "dynamic-import": false },
    external: ["vscode"],
    // Of an ES module only what is used is bundled.
    mainFields: ["module", "main"],
    plugins: [oneEditor(await editorByName()), latePartsStayOutside, serverWithoutAjv],
    entryPoints: [
      { out: "extension", in: resolve(root, "src/extension.ts") },
      ...entries(lateParts),
      ...entries(ownThreads),
    ],
  };
  const bundles = await shareModules(node, sharedFiles);
  const page = {
    ...shared,
    platform: "browser",
    format: "iife",
    target: "es2022",
    // A folder of their own: a page may load what lies in it, and nothing else.
    entryPoints: entries({
      "page/skillPage": "webview/skillPage.ts",
      "page/usagePage": "webview/usagePage.ts",
    }),
  };
  if (!watch) {
    const built = await Promise.all(
      [...bundles, page].map((options) => esbuild.build({ ...options, write: false })),
    ).catch(() => {
      // What is wrong has been printed; the error itself would say it again, at length.
      throw new Error("The extension could not be built.");
    });
    await mkdir(resolve(root, outdir, "page"), { recursive: true });
    const metafiles = built.map(({ metafile }) => metafile);
    const texts = {
      [noticesName]: await thirdPartyNotices(metafiles, root),
      [billName]: await softwareBill(metafiles, root),
      [aboutName]: await aboutCommandLine(),
    };
    const files = [
      ...built.flatMap(({ outputFiles }) => outputFiles),
      ...(await textsOfPages(built.at(-1).outputFiles)),
      ...Object.entries(texts).map(([name, text]) => ({
        path: resolve(root, outdir, name),
        contents: Buffer.from(text),
      })),
    ];
    await Promise.all(files.map(writeChanged));
    await removeOthers(
      outdir,
      files.map(({ path }) => relative(resolve(root, outdir), path).split(sep)[0]),
    );
    return bundledPackages(metafiles);
  }
  const notesTexts = {
    name: "page-texts",
    setup: ({ onEnd }) =>
      onEnd(async ({ outputFiles }) => {
        for (const file of [...outputFiles, ...(await textsOfPages(outputFiles))]) {
          await mkdir(dirname(file.path), { recursive: true });
          await writeChanged(file);
        }
      }),
  };
  for (const options of [...bundles, { ...page, write: false, plugins: [notesTexts] }]) {
    const context = await esbuild.context({ ...options, logLevel: "info" });
    await context.watch();
  }
}

/** Makes the file beside each page's script that lists the texts it says, of which it gets the translations. */
async function textsOfPages(outputFiles) {
  const german = await readFile(resolve(root, "l10n/bundle.l10n.de.json"), "utf8");
  const texts = Object.keys(JSON.parse(german));
  return outputFiles
    .filter(({ path }) => path.endsWith(".js"))
    .map(({ path, text }) => ({
      path: path.replace(/\.js$/, ".texts.json"),
      contents: Buffer.from(JSON.stringify(textsIn(text, texts))),
    }));
}

/** Writes a file unless it is there as it is: windows and packers may be reading what was built before. */
async function writeChanged({ path, contents }) {
  const there = await readFile(path).catch(() => undefined);
  if (there === undefined || !there.equals(contents)) await writeFile(path, contents);
}

/**
 * Removes what an earlier build left; only now, so that a window that is open keeps its files. Another build may be
 * doing the same.
 */
async function removeOthers(outdir, fresh) {
  for (const name of await readdir(resolve(root, outdir))) {
    if (!fresh.includes(name))
      await rm(resolve(root, outdir, name), { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildExtension({ watch: process.argv.includes("--watch") });
}
