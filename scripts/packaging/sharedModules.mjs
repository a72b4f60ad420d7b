// Keeps a module that several bundles load in a file that they share, instead of a copy in each.
import { relative, resolve, sep } from "node:path";
import * as esbuild from "esbuild";

/**
 * Finds the modules of `src` that bundles share. `options` are esbuild's, with an entry point for each bundle.
 * `sharedFiles` names each shared file with the bundles that load it; the first file whose bundles all load a module
 * keeps it. Resolves to esbuild's options for each part of the build.
 */
export async function shareModules(options, sharedFiles) {
  const root = options.absWorkingDir;
  const { metafile } = await esbuild.build({
    ...options,
    ...{ minify: false, sourcemap: false, write: false, packages: "external", metafile: true },
  });
  const fileOf = new Map();
  for (const [file, bundles] of Object.entries(sharedFiles)) {
    const [first, ...others] = bundles.map((bundle) => loadedBy(bundle, metafile));
    const common = [...first].filter((path) => others.every((paths) => paths.has(path)));
    for (const path of withImports(common, metafile)) {
      if (path.startsWith("src/") && !fileOf.has(path)) fileOf.set(path, file);
    }
  }
  const shared = { root, fileOf, names: await exportedNames(fileOf, metafile, root) };
  const files = Object.keys(sharedFiles);
  const filesOfBundle = ({ out }) => files.filter((file) => sharedFiles[file].includes(out)).join();
  const ofBundles = [...Map.groupBy(options.entryPoints, filesOfBundle)].map(
    ([loaded, entryPoints]) => ({
      ...options,
      entryPoints,
      plugins: [...options.plugins, sharing(shared, (file) => loaded.split(",").includes(file))],
    }),
  );
  const ofSharedFiles = {
    ...options,
    entryPoints: files.map((file) => ({ in: entryPrefix + file, out: file })),
    plugins: [
      ...options.plugins,
      sharing(shared, (file, importer) => file !== fileOf.get(importer)),
    ],
    logOverride: { "commonjs-variable-in-esm": "silent" },
  };
  return [ofSharedFiles, ...ofBundles];
}

const entryPrefix = "shared-file:";

function pathBelow(root, path) {
  return relative(root, path).split(sep).join("/");
}

/** Returns the paths of the modules of which a bundle has a part. */
function loadedBy(bundle, { outputs }) {
  const [, { inputs }] = Object.entries(outputs).find(([path]) => path.endsWith(`/${bundle}.js`));
  return new Set(Object.keys(inputs).filter((path) => inputs[path].bytesInOutput > 0));
}

/** Adds the modules that modules import, so that no shared file loads a later one. */
function withImports(modules, { inputs }) {
  const paths = new Set(modules);
  for (const path of paths) {
    for (const { path: imported, kind, external } of inputs[path]?.imports ?? []) {
      if (!external && kind === "import-statement") paths.add(imported);
    }
  }
  return paths;
}

/**
 * Resolves to what the shared files export: the names of each module that another file loads, each with its name in the
 * shared file. That name is short, since esbuild does not minify names of exports.
 */
async function exportedNames(fileOf, { inputs }, root) {
  const loadedElsewhere = new Set();
  for (const [importer, { imports }] of Object.entries(inputs)) {
    for (const { path } of imports) {
      if (fileOf.has(path) && fileOf.get(importer) !== fileOf.get(path)) loadedElsewhere.add(path);
    }
  }
  const paths = [...loadedElsewhere].sort();
  const { metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: paths,
    outdir: "unwritten",
    outbase: ".",
    ...{ write: false, format: "esm", metafile: true },
  });
  const outputs = new Map(Object.values(metafile.outputs).map((one) => [one.entryPoint, one]));
  let count = 0;
  const short = (name) => {
    count += 1;
    return [name, `m${count.toString(36)}`];
  };
  return new Map(paths.map((path) => [path, outputs.get(path).exports.map(short)]));
}

/**
 * Returns a plugin. `isLoaded` gets the name of a shared file and a module that imports one of its modules. It returns
 * whether that module loads the file instead of bundling a copy.
 */
function sharing({ root, fileOf, names }, isLoaded) {
  return {
    name: "shared-modules",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: new RegExp(`^${entryPrefix}`) }, ({ path }) => ({
        path: path.slice(entryPrefix.length),
        namespace: "shared-file",
      }));
      onLoad({ filter: /.*/, namespace: "shared-file" }, ({ path: file }) => ({
        resolveDir: root,
        contents: contentsOf([...names].filter(([module]) => fileOf.get(module) === file)),
      }));
      onResolve({ filter: /^\.{1,2}\// }, ({ path, importer, namespace, resolveDir }) => {
        if (namespace !== "file") return undefined;
        const module = pathBelow(root, `${resolve(resolveDir, path)}.ts`);
        const file = fileOf.get(module);
        return file !== undefined && isLoaded(file, pathBelow(root, importer))
          ? { path: module, namespace: "shared-module" }
          : undefined;
      });
      onLoad({ filter: /.*/, namespace: "shared-module" }, ({ path: module }) => {
        const pairs = names.get(module);
        const read = pairs.map(([name, short]) => [short, name]);
        return {
          contents: `const { ${listed(read, ": ")} } = require("./${fileOf.get(module)}.js");
export { ${pairs.map(([name]) => name).join(", ")} };`,
        };
      });
      onResolve({ filter: /.*/, namespace: "shared-module" }, ({ path }) => ({
        path,
        external: true,
      }));
    },
  };
}

/** Returns a shared file. Its exports are plain values: a getter for each, as esbuild writes them, is slower to load. */
function contentsOf(modules) {
  const imports = modules.map(
    ([module, pairs]) => `import { ${listed(pairs, " as ")} } from "./${module}";`,
  );
  const shorts = modules.flatMap(([, pairs]) => pairs.map(([, short]) => short));
  return `${imports.join("\n")}\nmodule.exports = { ${shorts.join(", ")} };`;
}

function listed(pairs, between) {
  return pairs.map(([one, other]) => one + between + other).join(", ");
}
