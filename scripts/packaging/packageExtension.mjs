import { readFileSync } from "node:fs";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildExtension } from "../../esbuild.mjs";
import { out, root } from "../editor/paths.mjs";
import { aboutName, packageCommandLine } from "./packageCommandLine.mjs";
import { packagedReadme } from "./packagedReadme.mjs";

/**
 * The maximum size of a package in bytes: its present content and some room.
 */
const limit = 1_300_000;

/** The time of every file in a package, so that the same sources make the same bytes: January 1, 2000. */
const sourceDate = "946684800";

/** The files that are packed; no other file at the top of the repository can get into a package. */
const sources = [
  ".vscodeignore",
  "CHANGELOG.md",
  "LICENSE",
  "dist",
  "l10n",
  "media",
  "package.json",
  "package.nls.de.json",
  "package.nls.json",
];

/**
 * The folder into which they are copied, since vsce compares each file below its folder with each line of
 * .vscodeignore.
 */
const folder = join(out, "package");

/** All files of a package. Any other file is an error. */
const packagedFiles = [
  "CHANGELOG.md",
  "LICENSE",
  "README.md",
  "dist/THIRD_PARTY_NOTICES.txt",
  "dist/agentServer.js",
  "dist/app.js",
  "dist/cli.js",
  "dist/commandLine.json",
  "dist/commands.js",
  "dist/extension.js",
  "dist/glanceAtReviews.js",
  "dist/languageClient.js",
  "dist/languageWorker.js",
  "dist/localRegistryCli.js",
  "dist/localRegistryWorker.js",
  "dist/mcp.js",
  "dist/offerTerminals.js",
  "dist/page/skillPage.css",
  "dist/page/skillPage.js",
  "dist/page/skillPage.texts.json",
  "dist/page/usagePage.css",
  "dist/page/usagePage.js",
  "dist/page/usagePage.texts.json",
  "dist/registryClient.js",
  "dist/sbom.cdx.json",
  "dist/sharedSchemas.js",
  "dist/sharedWork.js",
  "dist/store.js",
  "dist/storeWorker.js",
  "dist/windowClient.js",
  "dist/windowLink.js",
  "dist/yaml.js",
  "l10n/bundle.l10n.de.json",
  "media/icon.png",
  "media/schemas/contract.schema.json",
  "media/schemas/environments.schema.json",
  "media/schemas/policy.schema.json",
  "media/schemas/project-policy.schema.json",
  "media/schemas/reviews.schema.json",
  "media/schemas/skillhub.schema.json",
  "media/schemas/suite.schema.json",
  "media/skill-page-dark.svg",
  "media/skill-page-light.svg",
  "media/skill-registry.svg",
  "media/skills/skill-registry/SKILL.md",
  "media/walkthrough/agents-dark.webp",
  "media/walkthrough/agents-light.webp",
  "media/walkthrough/choose-dark.webp",
  "media/walkthrough/choose-light.webp",
  "media/walkthrough/invoke-dark.webp",
  "media/walkthrough/invoke-light.webp",
  "media/walkthrough/keep-dark.webp",
  "media/walkthrough/keep-light.webp",
  "media/walkthrough/project-dark.webp",
  "media/walkthrough/project-light.webp",
  "media/walkthrough/read-dark.webp",
  "media/walkthrough/read-light.webp",
  "media/walkthrough/review-dark.webp",
  "media/walkthrough/review-light.webp",
  "media/walkthrough/test-dark.webp",
  "media/walkthrough/test-light.webp",
  "media/walkthrough/write-dark.webp",
  "media/walkthrough/write-light.webp",
  "package.json",
  "package.nls.de.json",
  "package.nls.json",
];

const { name, version, repository } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** The path of the packed extension: skill-registry-<version>.vsix. */
export const packagePath = join(root, `${name}-${version}.vsix`);

/**
 * Packs the extension that buildExtension made. With `twice`, builds and packs it again. Resolves to the file's path.
 * Rejects if it is larger than `limit`, contains other files than listed, or differs the second time.
 */
export async function packageExtension({ twice }) {
  // Imported here, since only one stage of `npm test` packs, and all others load this module as well.
  const vsce = await import("@vscode/vsce");
  const bytes = await pack(vsce, packagePath);
  const listed = await vsce.listFiles({ cwd: folder, packageManager: vsce.PackageManager.None });
  const files = [...listed].sort();
  if (files.join("\n") !== packagedFiles.join("\n")) {
    throw new Error(
      `The package holds other files than packageExtension.mjs lists:\n${files.join("\n")}`,
    );
  }
  if (twice) {
    await buildExtension();
    const again = join(out, "again.vsix");
    const isSame = bytes.equals(await pack(vsce, again));
    await rm(again);
    if (!isSame) throw new Error("Two builds of the same sources make different packages.");
  }
  if (bytes.length > limit)
    throw new Error(`The package has ${bytes.length} bytes, the limit is ${limit}.`);
  console.log(`${packagePath}: ${(bytes.length / 1000).toFixed(0)} kB of ${limit / 1000}`);
  return packagePath;
}

async function pack(vsce, path) {
  await rm(folder, { recursive: true, force: true });
  for (const source of sources) {
    await cp(join(root, source), join(folder, source), { recursive: true });
  }
  const { about } = await packageCommandLine();
  await writeFile(join(folder, "dist", aboutName), `${JSON.stringify(about)}\n`);
  const readme = await readFile(join(root, "README.md"), "utf8");
  await writeFile(
    join(folder, "README.md"),
    packagedReadme(readme, { repository: repository?.url, version }),
  );
  process.env["SOURCE_DATE_EPOCH"] = sourceDate;
  await vsce.createVSIX({
    cwd: folder,
    packagePath: path,
    dependencies: false,
    rewriteRelativeLinks: false,
    allowMissingRepository: true,
  });
  return readFile(path);
}
