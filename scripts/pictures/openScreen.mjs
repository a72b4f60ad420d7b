import { mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { openWindow } from "../editor/browser/openWindow.mjs";
import { installExtension } from "../editor/install/installExtension.mjs";
import { downloads, root } from "../editor/paths.mjs";
import { runSettings } from "../editor/runSettings.mjs";
import { importTypeScript } from "../importTypeScript.mjs";

/** Makes a folder for the profile of a window, which goes with `processes`. */
export async function makeDataFolder(processes) {
  await mkdir(join(downloads, "runs"), { recursive: true });
  const dataFolder = await mkdtemp(join(downloads, "runs/screen-"));
  processes.removeAtEnd(dataFolder);
  return dataFolder;
}

/**
 * Opens a window with the extension. `editor` is `newest` or `oldest`, `theme` one of runSettings', `folder` what
 * the window opens, `language` what it speaks to extensions (`de`; English unless given), `dataFolder` where its
 * profile is (a fresh one that goes at the end unless given), `fontconfig` startChromium's, `vsix` a packed extension that
 * is installed there in place of the built one. Resolves to the Screen that the editor tests use too; `processes` ends it.
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
