import { mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { openWindow } from "../test/host/openWindow.mjs";
import { downloads, root } from "../test/host/paths.mjs";
import { runSettings } from "../test/host/runSettings.mjs";
import { importTypeScript } from "./importTypeScript.mjs";

/**
 * Opens a window with the extension in a fresh profile that goes at the end. `editor` is `newest` or
 * `oldest`, `theme` one of runSettings', `folder` what the window opens, `language`
 * what it speaks to extensions (`de`; English unless given). Resolves to the Screen
 * that the editor tests use too; `processes` ends it.
 */
export async function openScreen(
  processes,
  { editor = "newest", theme, folder, width, height, language },
) {
  await mkdir(join(downloads, "runs"), { recursive: true });
  const dataFolder = await mkdtemp(join(downloads, "runs/screen-"));
  processes.removeAtEnd(dataFolder);
  const { Screen } = await importTypeScript("test/editor/screen.ts");
  const { page } = await openWindow(processes, {
    name: editor,
    dataFolder,
    settings: runSettings({ editor, theme }),
    extensions: [root],
    folder,
    width,
    height,
    language,
  });
  const screen = new Screen(page);
  await page.locator(".activitybar").getByRole("tab", { name: "Skill Registry" }).waitFor();
  await page.locator(".monaco-workbench[class*=vscode-theme]").waitFor();
  return screen;
}
