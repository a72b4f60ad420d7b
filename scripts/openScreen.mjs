import { rm } from "node:fs/promises";
import { join } from "node:path";
import { openWindow } from "../test/host/openWindow.mjs";
import { downloads, root } from "../test/host/paths.mjs";
import { runSettings } from "../test/host/runSettings.mjs";
import { importTypeScript } from "./importTypeScript.mjs";

/**
 * Opens a window with the extension in a fresh profile named after `run`. `editor` is `newest` or
 * `oldest`, `theme` one of runSettings', `folder` what the window opens. Resolves to the Screen
 * that the editor tests use too; `processes` ends it.
 */
export async function openScreen(
  processes,
  { run, editor = "newest", theme, folder, width, height },
) {
  const dataFolder = join(downloads, "runs", run);
  await rm(dataFolder, { recursive: true, force: true });
  const { Screen } = await importTypeScript("test/editor/screen.ts");
  const { page } = await openWindow(processes, {
    name: editor,
    dataFolder,
    settings: runSettings({ editor, theme }),
    extensions: [root],
    folder,
    width,
    height,
  });
  const screen = new Screen(page);
  await page.locator(".activitybar").getByRole("tab", { name: "Skill Registry" }).waitFor();
  return screen;
}
