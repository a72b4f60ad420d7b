// Checks the code against the table “Who may import what” in ARCHITECTURE.md, and that calls stand in their only
// allowed place: `node scripts/checks/checkImports.mjs`.
import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/**
 * Lists as sentences every import that the table forbids, every call in the wrong folder, every folder with too many
 * files, files that load each other, rooms of the host that load a later one, and folders of the core that load each
 * other.
 */
export async function forbiddenImports() {
  const architecture = await readFile(join(root, "ARCHITECTURE.md"), "utf8");
  const table = readTable(architecture);
  const found = [];
  const loaded = new Map();
  const files = await sourceFiles();
  for (const file of files) {
    const row = table.find(({ folder }) => file === folder || file.startsWith(`${folder}/`));
    if (row === undefined) found.push(`${file} stands in no folder of the table.`);
    const text = await readFile(join(root, file), "utf8");
    for (const target of row === undefined ? [] : importsOf(file, text)) {
      const allowed = [row.folder, ...row.mayImport].some((name) => covers(name, target));
      if (!allowed) found.push(`${file} imports ${target}, which ${row.folder} may not.`);
    }
    found.push(...ownHabits(file, text));
    loaded.set(file, loadedBy(file, text));
  }
  found.push(...fullFolders(files), ...circles(loaded), ...upward(readRooms(architecture), loaded));
  found.push(...coreCircles(loaded));
  return [...found, ...(await platformDependencies())];
}

/** The maximum number of files in a folder: in a larger one, nobody finds a file by looking. */
const maxFiles = 12;

function fullFolders(files) {
  const folders = [...new Set(files.map((file) => dirname(file)))];
  return folders.flatMap((folder) => {
    const { length } = files.filter((file) => dirname(file) === folder);
    return length > maxFiles ? [`${folder} has ${length} files, more than ${maxFiles}.`] : [];
  });
}

/** Schemas contain schemas, so the modules that evaluate a schema and its parts call each other. */
const recursive = /^src\/core\/schema\/(evaluate|sample)\//;

/** Finds files that load each other, so that their order depends on who loads them first. Types are not loaded. */
function circles(loaded) {
  const reached = (from) => {
    const all = new Set(loaded.get(from));
    for (const file of all) for (const next of loaded.get(file) ?? []) all.add(next);
    return all;
  };
  const files = [...loaded.keys()].filter((file) => !recursive.test(file));
  return files
    .filter((file) => reached(file).has(file))
    .map((file) => `${file} loads itself through what it imports.`);
}

/** Finds files of a room of the host that load a file of a later room. */
function upward(rooms, loaded) {
  const roomOf = (file) => file.match(/^src\/host\/([^/]+)\//)?.[1];
  return [...loaded].flatMap(([file, targets]) => {
    const room = roomOf(file);
    if (room === undefined) return [];
    if (!rooms.includes(room)) return [`${file} stands in no room of ARCHITECTURE.md's order.`];
    return targets
      .filter((target) => rooms.indexOf(roomOf(target)) > rooms.indexOf(room))
      .map((target) => `${file} loads ${target}, whose room comes later.`);
  });
}

/** Folders of the core that load each other. Add none: a function that another folder needs may belong there. */
const knownCoreCircles = ["invocation ↔ project"];

/** Finds folders of the core that load each other, and listed ones that no longer do. */
function coreCircles(loaded) {
  const roomOf = (file) => file.match(/^src\/core\/([^/]+)\//)?.[1];
  const arrows = new Map();
  for (const [file, targets] of loaded) {
    for (const target of targets) {
      const [from, to] = [roomOf(file), roomOf(target)];
      if (from !== undefined && to !== undefined && from !== to) arrows.set(`${from} ${to}`, file);
    }
  }
  const pairs = [...arrows].flatMap(([arrow, file]) => {
    const [from, to] = arrow.split(" ");
    const back = arrows.get(`${to} ${from}`);
    return from < to && back !== undefined ? [[`${from} ↔ ${to}`, file, back]] : [];
  });
  const names = pairs.map(([name]) => name);
  return [
    ...pairs
      .filter(([name]) => !knownCoreCircles.includes(name))
      .map(([name, ...files]) => `src/core: ${name} load each other, such as ${files.join(", ")}.`),
    ...knownCoreCircles
      .filter((name) => !names.includes(name))
      .map((name) => `src/core: ${name} no longer load each other. Remove them from the list.`),
  ];
}

function readRooms(text) {
  const line = text.match(/^`\w+`(?: → `\w+`){8,}$/m);
  if (line === null) throw new Error("ARCHITECTURE.md has no readable order of rooms.");
  return names(line[0]);
}

function loadedBy(file, text) {
  const specifiers = text.matchAll(
    /^(?:import|export)\s(?!type\b)[^"';=(]*?\bfrom\s+"(\.[^"]+)"/gm,
  );
  return [...specifiers].map(
    ([, from]) => `${relative(root, resolve(root, dirname(file), from))}.ts`,
  );
}

function readTable(text) {
  const rows = text.match(/^\| `(?:src|webview).*\|$/gm) ?? [];
  if (rows.length < 8) throw new Error("ARCHITECTURE.md has no readable table of imports.");
  return rows
    .map((row) => {
      const [, folder, , allowed] = row.split("|");
      return { folder: names(folder)[0], mayImport: names(allowed) };
    })
    .sort((one, other) => other.folder.length - one.folder.length);
}

function names(cell) {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
}

async function sourceFiles() {
  const folders = ["src", "webview"];
  const lists = await Promise.all(
    folders.map(async (folder) => {
      const entries = await readdir(join(root, folder), { recursive: true });
      return entries.map((entry) => join(folder, entry));
    }),
  );
  return lists.flat().filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"));
}

/**
 * Calls that some folders may not contain, since one place does it for all: there, texts are made safe, waits end,
 * files are bounded, and a fault of Node.js is handled.
 */
const habits = [
  {
    calls:
      /\b(create(QuickPick|InputBox)|show(QuickPick|InputBox|(Information|Warning|Error)Message|SaveDialog)|setStatusBarMessage|window\.withProgress|registerTextDocumentContentProvider|vscode\.(diff|Memento))\b/g,
    folders: /^src\/host\//,
    home: /^src\/host\/ui\//,
  },
  {
    calls: /\bnew vscode\.(Diagnostic|WorkspaceEdit)\(/g,
    folders: /^src\/host\//,
    home: /^src\/host\/marks\.ts$/,
  },
  {
    calls: /\b(setTimeout|setInterval|setImmediate|Promise\.race)\b/g,
    folders: /^src\/(host|engine|agents)\//,
    home: /^src\/registry\/wait\.ts$/,
  },
  // A link in a repository may lead to /dev/zero, or to a pipe without a writer.
  {
    calls: /\bfs\.readFile\b/g,
    folders: /^src\/(host\/|extension\.ts)/,
    home: /^src\/host\/workspaceFile\.ts$/,
  },
  { calls: /"setContext"/g, folders: /^src\//, home: /^src\/host\/state\/contextKeys\.ts$/ },
  // Creating a format takes a hundred times as long as using it.
  {
    calls: /\bnew Intl\.(?!Segmenter\b)\w+|\btoLocale(Date|Time)?String\b/g,
    folders: /^(src|webview)\//,
    home: /^src\/core\/text\/formats\.ts$/,
  },
  { calls: /\bURL\.canParse\b/g, folders: /^src\//, home: /^src\/core\/text\/parseUrl\.ts$/ },
];

function ownHabits(file, text) {
  const broken = habits.filter(({ folders, home }) => folders.test(file) && !home.test(file));
  return broken.flatMap(({ calls, home }) =>
    [...text.matchAll(calls)].map(
      ([name]) => `${file} calls ${name}, which nothing outside ${home} may: widen what is there.`,
    ),
  );
}

function importsOf(file, text) {
  const specifiers = text.matchAll(
    /^(?:import|export)\s[^"';=(]*?\bfrom\s+"([^"]+)"|^import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm,
  );
  return [...specifiers].map(([, from, bare, dynamic]) => {
    const specifier = from ?? bare ?? dynamic;
    return specifier.startsWith(".")
      ? relative(root, resolve(root, dirname(file), specifier))
      : specifier;
  });
}

function covers(name, target) {
  return name === "node:*"
    ? target.startsWith("node:")
    : target === name || target.startsWith(`${name}/`) || `${target}.ts` === name;
}

/** Bundles the platform-independent folders without a platform. Whatever cannot be resolved is a dependency. */
async function platformDependencies() {
  const files = (await sourceFiles()).filter((file) => /^src\/(core|protocol)\//.test(file));
  try {
    await esbuild.build({
      stdin: {
        contents: files
          .map((file) => `export * as _${files.indexOf(file)} from "./${file}";`)
          .join("\n"),
        resolveDir: root,
      },
      bundle: true,
      write: false,
      platform: "neutral",
      logLevel: "silent",
    });
    return [];
  } catch (error) {
    return error.errors.map(({ text, location }) => `${location?.file}: ${text}`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = await forbiddenImports();
  for (const line of found) console.error(line);
  process.exitCode = found.length === 0 ? 0 : 1;
}
