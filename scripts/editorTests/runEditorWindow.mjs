import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runTests } from "@vscode/test-electron";
import { installExtension } from "../editor/install/installExtension.mjs";
import { emptyExtension, out, root } from "../editor/paths.mjs";
import { runSettings } from "../editor/runSettings.mjs";
import { machineFolder } from "../editor/startServer.mjs";
import { readCounts } from "../suite/readCounts.mjs";
import { desktopEditor } from "./desktopEditor.mjs";

const serverHost = join(root, "scripts/editor/serverHost.mjs");

/**
 * Runs the test files `files` in one of editorWindows and in runEditorTests' `host`. Results go to out/editor under
 * `name`; the window's data is in `dataFolder`. `bundle` is the folder that buildEditorTests made; `all` runs every
 * case of tables. Resolves to readCounts' counts.
 */
export async function runEditorWindow(window, { host, vsix, files, ...places }) {
  const { name, dataFolder, bundle, all } = places;
  const { opens, file = ".", continues, restricted, language, extension } = window;
  const results = join(out, "editor", name);
  const counts = join(results, "counts.json");
  const extensionsFolder = join(dataFolder, "extensions");
  const folder = join(dataFolder, "folder");
  await rm(results, { recursive: true, force: true });
  await mkdir(results, { recursive: true });
  try {
    if (continues === undefined) await prepare();
    const desktop = host === "desktop" ? await desktopEditor() : undefined;
    await runTests({
      vscodeExecutablePath: desktop?.executable ?? serverHost,
      extensionDevelopmentPath: [
        vsix === undefined ? root : emptyExtension,
        ...(extension === undefined ? [] : [join(root, extension)]),
      ],
      extensionTestsPath: join(bundle, "index.js"),
      launchArgs: [
        ...(opens === undefined && continues === undefined ? [] : [join(folder, file)]),
        `--user-data-dir=${dataFolder}`,
        `--extensions-dir=${extensionsFolder}`,
        ...(language === undefined ? [] : [`--locale=${language}`]),
        ...(desktop?.launchArgs ?? []),
      ],
      extensionTestsEnv: {
        ...desktop?.env,
        SKILL_REGISTRY_HOME: machineFolder(dataFolder),
        SKILL_REGISTRY_TEST_EDITOR: host,
        SKILL_REGISTRY_TEST_COUNTS: counts,
        SKILL_REGISTRY_TEST_OUT: results,
        SKILL_REGISTRY_TEST_FILES: JSON.stringify(files),
        ...(all ? { SKILL_REGISTRY_TEST_ALL: "yes" } : {}),
        ...(restricted ? { SKILL_REGISTRY_TEST_RESTRICTED: "yes" } : {}),
        ...(vsix === undefined ? {} : { SKILL_REGISTRY_TEST_INSTALLED_IN: extensionsFolder }),
      },
    });
  } catch (error) {
    console.error(error.message);
    const { failures, ...others } = await readCounts(counts, name);
    return { ...others, failures: failures.length > 0 ? failures : [`${name}: ${error.message}`] };
  }
  return readCounts(counts, name);

  async function prepare() {
    await rm(dataFolder, { recursive: true, force: true });
    await mkdir(join(dataFolder, "User"), { recursive: true });
    const settings = {
      ...runSettings({ editor: host === "desktop" ? "newest" : host }),
      ...window.settings,
    };
    await writeFile(join(dataFolder, "User/settings.json"), JSON.stringify(settings));
    if (opens !== undefined) await cp(join(root, opens), folder, { recursive: true });
    if (vsix === undefined) return;
    await installExtension({ name: host, dataFolder, extensionsFolder, file: vsix });
  }
}
