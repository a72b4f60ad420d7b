import { join } from "node:path";
import { chromium } from "playwright-core";
import { startEditor } from "../startEditor.mjs";
import { leaveOutSockets } from "./leaveOutSockets.mjs";
import { speakLanguage } from "./speakLanguage.mjs";
import { startChromium } from "./startChromium.mjs";
import { windowUrl } from "./windowUrl.mjs";

/**
 * Opens a window of VS Code in a headless Chromium. Takes the options of startEditor and windowUrl,
 * `width` and `height` in pixels, startChromium's `fontconfig`, the `language` that extensions find, and `prepare(page)`, called
 * before the page loads. Resolves to the Playwright `page`, the processes `server` and `browser`, and the address of Chromium's `debugging`; `processes` ends all of it. The extension host finds
 * Chromium's debugging address in SKILL_REGISTRY_TEST_CDP.
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
  // Of further windows, too, the host wants to know nothing but that they are there.
  context.on("page", (other) => leaveOutSockets(other).catch(() => {}));
  await page.goto(windowUrl(authority, options), { timeout: 240_000 });
  return { page, server, browser: chromiumProcess, debugging };
}
