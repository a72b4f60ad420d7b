import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { format } from "node:util";
import { chromium } from "playwright-core";
import { letStateBeStored } from "./browser/letStateBeStored.mjs";
import { openWindow } from "./browser/openWindow.mjs";
import { tellHost } from "./browser/tellHost.mjs";
import { hearPath } from "./frontDoor.mjs";
import { startProcesses } from "./startProcesses.mjs";

/** The maximum silence of a window's tests in seconds, longer than test/editor/eventually.ts allows for one test. */
const limitSeconds = 420;

/** The prefix of each line of the tests, since VS Code's own lines arrive the same way. */
const mark = "\u200Btests\u200B";

/**
 * Opens a window whose extension host runs tests, and prints their console. All other lines, and the server's, go to
 * `window.log` in `dataFolder`. Takes openWindow's options. Resolves to the tests' exit code, or 1 if the window never
 * gets that far; nothing is left running then.
 */
export async function runTestsInWindow(options) {
  const processes = startProcesses();
  await mkdir(options.dataFolder, { recursive: true });
  const logFile = join(options.dataFolder, "window.log");
  const log = createWriteStream(logFile);
  let ended = false;
  // Tests may open further windows with their own extension hosts; the first host is the tests' own.
  let testsHost;
  const print = (type, args) => {
    if (ended) return;
    const text = format(...args);
    if (!text.startsWith(mark)) log.write(`${type}: ${text}\n`);
    else {
      silence?.refresh();
      console.log(text.slice(mark.length));
    }
  };
  let opened;
  let silence;
  const code = await new Promise((finish) => {
    const stop = (why) => {
      if (ended) return;
      console.error(`${why}\nWhat the window and its server said: ${logFile}`);
      finish(1);
    };
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
      process.once(signal, () => stop(`Stopped by ${signal}.`));
    }
    // If the starting process was killed, nobody needs the tests any more.
    const parent = process.ppid;
    setInterval(
      () => process.ppid === parent || stop("Nobody waits for the tests any more."),
      1000,
    );
    const tooLate = async () => {
      const picture = join(options.dataFolder, "too-late.png");
      if (opened !== undefined) await takePicture(opened.debugging, picture).catch(() => {});
      stop(`The tests said nothing for ${limitSeconds} s. The window then: ${picture}`);
    };
    silence = setTimeout(tooLate, limitSeconds * 1000).unref();
    openWindow(processes, {
      ...options,
      env: { SKILL_REGISTRY_TEST_MARK: mark },
      onOutput: (text) => {
        if (!ended) log.write(text);
        testsHost ??= /<(\d+)> Launched Extension Host Process/.exec(text)?.[1];
        const [, exited] = /<(\d+)> Extension Host Process exited/.exec(text) ?? [];
        if (exited === undefined || exited !== (testsHost ?? exited)) return;
        // After its tests the extension host ends as well, once it has sent the exit code.
        setTimeout(() => stop("The extension host ended before its tests did."), 30_000).unref();
      },
      hear: (told) => {
        for (const { type, args, code } of told)
          code === undefined ? print(type, args) : finish(code);
      },
      prepare: async (page) => {
        await letStateBeStored(page);
        await page.addInitScript(tellHost, { path: hearPath, limit: 10_000 });
      },
    })
      .then(async (window) => {
        opened = window;
        window.server.once("exit", () => stop("VS Code's server ended by itself."));
        window.browser.once("exit", () => stop("Chromium ended by itself."));
        // A connected debugger is told of everything in the window, which costs CPU time.
        await window.page.context().browser().close();
      })
      .catch((error) => stop(error.stack));
  });
  ended = true;
  await processes.end();
  await once(log.end(), "finish");
  return code;
}

/** Takes a picture of the first window of the Chromium at a debugging address. */
async function takePicture(debugging, path) {
  const browser = await chromium.connectOverCDP(debugging);
  const [page] = browser.contexts().flatMap((context) => context.pages());
  await page?.screenshot({ path });
  await browser.close();
}
