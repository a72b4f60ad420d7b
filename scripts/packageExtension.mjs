import { readFileSync } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createVSIX } from "@vscode/vsce";
import { buildExtension } from "../esbuild.mjs";
import { root } from "../test/host/paths.mjs";
import { packagedReadme } from "./packagedReadme.mjs";

/** The most a package may weigh, in bytes. */
const limit = 1_000_000;

const { name, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Where the packed extension lies: skill-registry-<version>.vsix. */
export const packagePath = join(root, `${name}-${version}.vsix`);

/** Builds the extension and packs it. Resolves to the file's path. Fails when it is heavier than 1 MB. */
export async function packageExtension() {
  await buildExtension();
  const readmePath = "dist/README.md";
  const readme = await readFile(join(root, "README.md"), "utf8");
  await writeFile(join(root, readmePath), packagedReadme(readme));
  await createVSIX({
    cwd: root,
    packagePath,
    readmePath,
    dependencies: false,
    allowMissingRepository: true,
    rewriteRelativeLinks: false,
  });
  const { size } = await stat(packagePath);
  if (size > limit) throw new Error(`The package has ${size} bytes, the limit is ${limit}.`);
  console.log(`${packagePath}: ${(size / 1000).toFixed(0)} kB of ${limit / 1000}`);
  return packagePath;
}
