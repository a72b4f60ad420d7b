// Packs the command line as a separate npm package.
import { createHash } from "node:crypto";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { out, root } from "../editor/paths.mjs";
import { runQuietly } from "../editor/runQuietly.mjs";

/** Its name in the npm registry. The extension's name would suggest that the package contains the extension. */
const name = "skill-registry-cli";

/** The file among the bundles that names the matching command line. */
export const aboutName = "commandLine.json";

/** The bundles that it needs: `cli.js`, and what that loads. */
const bundles = [
  "THIRD_PARTY_NOTICES.txt",
  "agentServer.js",
  "cli.js",
  "commands.js",
  "languageClient.js",
  "languageWorker.js",
  "localRegistryWorker.js",
  "mcp.js",
  "registryClient.js",
  "sharedSchemas.js",
  "sharedWork.js",
  "store.js",
  "windowClient.js",
  "windowLink.js",
];

/** The folder that is packed, and that gets the package. */
const folder = join(out, "commandLine");

/**
 * Packs what buildExtension made. Resolves to the file's path and its description: name and version, and if the
 * manifest names the sources (`repository`), the release address of the file with its SHA-256.
 */
export async function packageCommandLine() {
  const manifest = await manifestOf();
  await rm(folder, { recursive: true, force: true });
  const packed = join(folder, "package");
  await mkdir(join(packed, "dist"), { recursive: true });
  for (const bundle of bundles) {
    const text = await readFile(join(root, "dist", bundle), "utf8");
    for (const [, other] of bundle.endsWith(".js") ? text.matchAll(/"\.\/(\w+\.js)"/g) : []) {
      if (!bundles.includes(other))
        throw new Error(`${bundle} loads ${other}, which is not packed.`);
    }
    await writeFile(join(packed, "dist", bundle), text);
  }
  await cp(join(root, "LICENSE"), join(packed, "LICENSE"));
  await writeFile(join(packed, "README.md"), readme(manifest));
  await writeFile(join(packed, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  const npm = ["pack", "--ignore-scripts", "--offline", "--pack-destination", folder];
  await runQuietly("npm", npm, { cwd: packed, env: process.env });
  const file = `${name}-${manifest.version}.tgz`;
  const path = join(folder, file);
  const sha256 = createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
  const { version, repository } = manifest;
  const sources = repository?.url.replace(/^git\+/, "").replace(/\.git$/, "");
  const about = {
    ...{ name, version },
    ...(sources && { file: { url: `${sources}/releases/download/v${version}/${file}`, sha256 } }),
  };
  return { path, about };
}

/** Writes the description for a build that was not packed. */
export async function aboutCommandLine() {
  const { version } = await manifestOf();
  return `${JSON.stringify({ name, version })}\n`;
}

/** Resolves to the manifest: without dependencies and without scripts. */
async function manifestOf() {
  const { version, license, engines, homepage, repository, bugs } = JSON.parse(
    await readFile(join(root, "package.json"), "utf8"),
  );
  return {
    name,
    version,
    description: "Find, check and invoke the skills of a registry, from a terminal and in CI.",
    license,
    keywords: ["skills", "registry", "agents", "mcp", "json schema", "cli", "ci", "batch"],
    ...{ homepage, repository, bugs },
    type: "commonjs",
    bin: { "skill-registry": "dist/cli.js" },
    engines: { node: engines.node },
    publishConfig: { access: "public" },
  };
}

function readme({ version }) {
  return `# skill-registry

The command line of Skill Registry: finds, checks and invokes the skills of a registry, runs suites in CI, sends a file line by line, and serves skills to agents (Model Context Protocol).

\`\`\`sh
npx ${name}@${version} search --task data
npx ${name}@${version} validate . --registry https://registry.example
\`\`\`

It needs Node.js 22.13 or newer and installs nothing else. Without a registry it starts a built-in one with sample skills. \`skill-registry --help\` lists the commands.
`;
}
