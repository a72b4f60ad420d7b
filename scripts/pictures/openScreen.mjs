import { mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { openWindow } from "../editor/browser/openWindow.mjs";
import { installExtension } from "../editor/install/installExtension.mjs";
import { downloads, root } from "../editor/paths.mjs";
import { runSettings } from "../editor/runSettings.mjs";
import { importTypeScript } from "../importTypeScript.mjs";

/** Creates a folder for a window's profile, which `processes` removes. */
export async function makeDataFolder(processes) {
  await mkdir(join(downloads, "runs"), { recursive: true });
  const dataFolder = await mkdtemp(join(downloads, "runs/screen-"));
  processes.removeAtEnd(dataFolder);
  return dataFolder;
}

/**
 * Opens a window with the extension. `editor` is `newest` or `oldest`, `theme` one of runSettings', `folder` what the
 * window opens, `language` the language for extensions (default: English), `dataFolder` its profile (default: a new
 * one, removed at the end), `fontconfig` startChromium's, `vsix` a packed extension to install instead of loading the
 * build. Resolves to the Screen that editor tests use too; `processes` ends it.
 */
export async function openScreen(processes, { editor = "newest", theme, vsix, ...options }) {
  const { Screen } = await importTypeScript("test/editor/window/screen.ts");
  const dataFolder = options.dataFolder ?? (await makeDataFolder(processes));
  const extensionsFolder = join(dataFolder, "extensions");
  if (vsix !== undefined) {
    await installExtension({ name: editor, dataFolder, extensionsFolder, file: vsix });
  }
  const { page } = await openWindow(processes, {
    name: editor,
    settings: runSettings({ editor, theme }),
    extensions: vsix === undefined ? [root] : [],
    extensionsFolder,
    ...options,
    dataFolder,
  });
  const screen = new Screen(page);
  await page.locator(".activitybar").getByRole("tab", { name: "Skill Registry" }).waitFor();
  await page.locator(".monaco-workbench[class*=vscode-theme]").waitFor();
  return screen;
}
