import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runTests } from "@vscode/test-electron";
import { installExtension } from "../test/host/installExtension.mjs";
import { downloads, emptyExtension, out, root } from "../test/host/paths.mjs";
import { runSettings } from "../test/host/runSettings.mjs";
import { buildEditorTests } from "./buildEditorTests.mjs";
import { desktopEditor } from "./desktopEditor.mjs";
import { readCounts } from "./readCounts.mjs";

const serverHost = join(root, "test/host/serverHost.mjs");

/**
 * Runs the editor tests in `host`: `newest`, `oldest` or `desktop`. With `vsix` the packaged extension
 * is installed into a clean profile, without it the sources' build is loaded. `wanted` keeps the test
 * files whose path contains it. Resolves to `{ passed, failed }`; a run that never ends is one failed.
 */
export async function runEditorTests({ host, vsix, wanted = "", extension = root }) {
  const parts = [host, vsix === undefined ? "" : "packaged", wanted.replaceAll(/\W+/g, "-")];
  const name = parts.filter((part) => part !== "").join("-");
  const results = join(out, "editor", name);
  const counts = join(results, "counts.json");
  const dataFolder = join(downloads, "runs", name);
  const extensionsFolder = join(dataFolder, "extensions");
  for (const folder of [results, dataFolder]) await rm(folder, { recursive: true, force: true });
  await mkdir(results, { recursive: true });
  await mkdir(join(dataFolder, "User"), { recursive: true });
  const editor = host === "desktop" ? "newest" : host;
  await writeFile(join(dataFolder, "User/settings.json"), JSON.stringify(runSettings({ editor })));
  const extensionTestsPath = await buildEditorTests({ name, wanted });
  try {
    if (vsix !== undefined) {
      await installExtension({ name: host, dataFolder, extensionsFolder, file: vsix });
    }
    const desktop = host === "desktop" ? await desktopEditor() : undefined;
    await runTests({
      vscodeExecutablePath: desktop?.executable ?? serverHost,
      extensionDevelopmentPath: vsix === undefined ? extension : emptyExtension,
      extensionTestsPath,
      launchArgs: [
        `--user-data-dir=${dataFolder}`,
        `--extensions-dir=${extensionsFolder}`,
        ...(desktop?.launchArgs ?? []),
      ],
      extensionTestsEnv: {
        ...desktop?.env,
        SKILL_REGISTRY_TEST_EDITOR: host,
        SKILL_REGISTRY_TEST_COUNTS: counts,
        SKILL_REGISTRY_TEST_OUT: results,
        ...(vsix === undefined ? {} : { SKILL_REGISTRY_TEST_INSTALLED_IN: extensionsFolder }),
      },
    });
  } catch (error) {
    console.error(error.message);
    const { passed, failed } = await readCounts(counts);
    return { passed, failed: Math.max(failed, 1) };
  }
  return readCounts(counts);
}
