import { mkdir } from "node:fs/promises";
import { untilPrinted } from "../untilPrinted.mjs";
import { findChromium } from "./findChromium.mjs";

/**
 * Variables that Chromium sets itself, the second while its threads read the environment. An existing variable is
 * replaced in place; adding a second one makes the C library move the list while it is read.
 */
const ownVariables = { DBUS_SESSION_BUS_ADDRESS: "disabled:", FC_FONTATIONS: "1" };

/**
 * Starts a headless Chromium that keeps its profile in `profile`. `fontconfig` is a file that names its fonts
 * (the machine's and the browser's own unless given). Resolves to its process, the `browser`, and the address of its
 * `debugging` endpoint, for Playwright's connectOverCDP.
 */
export async function startChromium(
  processes,
  { profile, width = 1280, height = 800, fontconfig },
) {
  const { executable, env } = await findChromium();
  await mkdir(profile, { recursive: true });
  const child = processes.start(
    executable,
    [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--disable-breakpad",
      "--disable-background-networking",
      "--disable-background-timer-throttling",
      "--disable-backgrounding-occluded-windows",
      "--disable-renderer-backgrounding",
      "--disable-component-update",
      "--disable-dev-shm-usage",
      "--disable-sync",
      "--force-color-profile=srgb",
      "--hide-scrollbars",
      // Megabytes for new objects, so that garbage is collected more rarely.
      "--js-flags=--max-semi-space-size=64",
      // The window can only reach this machine.
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
      "--no-first-run",
      "--remote-debugging-port=0",
      `--user-data-dir=${profile}`,
      `--window-size=${width},${height}`,
      "about:blank",
    ],
    {
      env: {
        ...process.env,
        ...ownVariables,
        ...env,
        ...(fontconfig && { FONTCONFIG_FILE: fontconfig }),
      },
    },
  );
  const [, address] = await untilPrinted(child, /DevTools listening on ws:\/\/([^/]+)/, "Chromium");
  return { browser: child, debugging: `http://${address}` };
}
