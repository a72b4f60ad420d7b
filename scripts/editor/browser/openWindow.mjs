import { join } from "node:path";
import { chromium } from "playwright-core";
import { startEditor } from "../startEditor.mjs";
import { leaveOutSockets } from "./leaveOutSockets.mjs";
import { speakLanguage } from "./speakLanguage.mjs";
import { startChromium } from "./startChromium.mjs";
import { windowUrl } from "./windowUrl.mjs";

/**
 * Opens a window of VS Code in a headless Chromium. Takes the options of startEditor and windowUrl, `width` and
 * `height` in pixels, startChromium's `fontconfig`, the `language` for extensions, and `prepare(page)`, called before
 * the page loads. Resolves to the Playwright `page`, the processes `server` and `browser`, and the address of
 * Chromium's `debugging`; `processes` ends them. The extension host finds the debugging address in
 * SKILL_REGISTRY_TEST_CDP.
 */
export async function openWindow(
  processes,
  { prepare, width, height, fontconfig, language, env, ...options },
) {
  const profile = join(options.dataFolder, "chromium");
  const { browser: chromiumProcess, debugging } = await startChromium(processes, {
    profile,
    width,
    height,
    fontconfig,
  });
  const { authority, server } = await startEditor(processes, {
    ...options,
    env: { ...env, SKILL_REGISTRY_TEST_CDP: debugging },
  });
  const browser = await chromium.connectOverCDP(debugging);
  const [context] = browser.contexts();
  const page = context.pages()[0] ?? (await context.newPage());
  if (language !== undefined) await speakLanguage(page, language);
  await prepare?.(page);
  await leaveOutSockets(page);
  // For further windows too, this process only needs to know that they exist.
  context.on("page", (other) => leaveOutSockets(other).catch(() => {}));
  await page.goto(windowUrl(authority, options), { timeout: 240_000 });
  return { page, server, browser: chromiumProcess, debugging };
}
