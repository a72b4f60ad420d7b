import { cp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { nodePackage, packagedNode } from "../../node/packagedNode.mjs";
import { sharedInstalls } from "../paths.mjs";
import { runQuietly } from "../runQuietly.mjs";
import { hostVersions, ripgrep } from "./hostVersions.mjs";
import { installOnce } from "./installOnce.mjs";

/** The packages that test windows never use and that weigh most; those of Windows are imported there alone. */
const unneeded = [
  "@github/copilot",
  "@github/copilot-sdk",
  "@microsoft/mxc-sdk",
  "@vscode/windows-process-tree",
  "@vscode/windows-registry",
];

const standIns = {
  "node_modules/@vscode/spdlog": "spdlog.cjs",
  "node_modules/@vscode/native-watchdog": "nativeWatchdog.cjs",
};

/**
 * Installs VS Code built as a server, `newest` or `oldest`, if it is missing. Resolves to `{ node, server, vscode }`:
 * the two files to run and the version. Rejects with npm's own message.
 */
export async function installServerHost(name) {
  const versions = hostVersions[name];
  if (versions === undefined) throw new Error(`No editor is called "${name}".`);
  if (process.platform === "win32") {
    throw new Error(
      "The VS Code that npm carries runs on Linux and macOS. Here, put `code` on the PATH for npm start, " +
        "and test with npm run test:desktop.",
    );
  }
  const folder = join(sharedInstalls(), `server-${versions.vscode}-node-${versions.node}`);
  await installOnce(folder, async (unfinished) => {
    console.log(`Installing VS Code ${versions.vscode} (${name}) from npm …`);
    await Promise.all([installNode(unfinished, versions), installServer(unfinished, versions)]);
  });
  return {
    node: packagedNode(join(folder, "node")),
    server: join(folder, "vscode/out/server-main.js"),
    vscode: versions.vscode,
  };
}

async function installNode(folder, { node }) {
  const prefix = join(folder, "node");
  const wanted = `${nodePackage()}@${node}`;
  await runQuietly("npm", ["install", "--prefix", prefix, "--ignore-scripts", "--no-save", wanted]);
}

async function installServer(folder, { codeServer }) {
  // Only the VS Code inside is used, so the package is unpacked without its own 165 dependencies.
  await runQuietly("npm", ["pack", `code-server@${codeServer}`, "--ignore-scripts"], {
    cwd: folder,
  });
  const archive = `code-server-${codeServer}.tgz`;
  const inside = "package/lib/vscode";
  const all = ["-xzf", archive, `--exclude=${inside}/extensions/copilot`, inside];
  await runQuietly("tar", all, { cwd: folder });
  await rm(join(folder, archive));
  const vscode = join(folder, "vscode");
  await rename(join(folder, inside), vscode);
  await rm(join(folder, "package"), { recursive: true });
  await leaveOut(vscode, unneeded);
  for (const part of [vscode, join(vscode, "extensions")]) {
    await runQuietly("npm", ["install", "--omit=dev", "--ignore-scripts", "--no-save"], {
      cwd: part,
    });
  }
  for (const [module, standIn] of Object.entries(standIns))
    await replace(join(vscode, module), standIn);
  await addRipgrep(join(vscode, "node_modules/@vscode/ripgrep"));
}

/** Removes packages from the lists of those that npm installs in a folder. */
async function leaveOut(folder, names) {
  for (const list of ["package.json", "npm-shrinkwrap.json"]) {
    const path = join(folder, list);
    const content = JSON.parse(await readFile(path, "utf8"));
    for (const { dependencies = {} } of [content, content.packages?.[""] ?? {}])
      for (const name of names) delete dependencies[name];
    await writeFile(path, JSON.stringify(content));
  }
}

/** Adds ripgrep, which the package would download from another place than VS Code. */
async function addRipgrep(module) {
  const manifest = await readFile(join(module, "package.json"), "utf8").catch(() => undefined);
  if (manifest === undefined) return;
  const { platform, arch } = process;
  await runQuietly("npm", ["pack", `@vscode/ripgrep-${platform}-${arch}@${ripgrep}`], {
    cwd: module,
  });
  const archive = join(module, `vscode-ripgrep-${platform}-${arch}-${ripgrep}.tgz`);
  await runQuietly("tar", ["-xzf", archive, "--strip-components=1", "package/bin"], {
    cwd: module,
  });
  await rm(archive);
}

async function replace(module, standIn) {
  const manifest = await readFile(join(module, "package.json"), "utf8").catch(() => undefined);
  if (manifest === undefined) return;
  const { name, version } = JSON.parse(manifest);
  await rm(module, { recursive: true });
  await cp(new URL(`../standIns/${standIn}`, import.meta.url), join(module, "index.js"), {});
  await writeFile(
    join(module, "package.json"),
    JSON.stringify({ name, version, main: "index.js" }),
  );
}
