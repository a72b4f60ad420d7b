// Runs in an extension host: opens, in turns, an empty webview and the page of a skill, each until it is
// painted, and writes the milliseconds of each to the file in SKILL_REGISTRY_PROBE_FILE. A skill's page
// counts as open when its name and its trust line are on the screen.
const { writeFileSync } = require("node:fs");
const { performance } = require("node:perf_hooks");
const { setFlagsFromString } = require("node:v8");
const { runInNewContext } = require("node:vm");
const { chromium } = require("playwright-core");
const vscode = require("vscode");

/**
 * Skills of the built-in registry. A refresh before each one makes its page read it again, like a page that opens for
 * the first time.
 */
const skills = {
  "text-stats": "Text statistics",
  "csv-profile": "CSV profile",
  "redact-pii": "Redact personal data",
  "slow-report": "Slow report",
  "json-diff": "JSON diff",
  "sql-format": "Format SQL",
};
const rounds = 12;

exports.run = async () => {
  const browser = await chromium.connectOverCDP(process.env.SKILL_REGISTRY_TEST_CDP);
  const window = await workbench(browser);
  await window.context().addInitScript(sayWhenPainted);
  const frame = window.locator("iframe.webview");
  const timeOf = async (title, open) => {
    const painted = window.waitForEvent("console", (line) =>
      line.text().startsWith(`painted: ${title} at `),
    );
    const start = performance.timeOrigin + performance.now();
    await open();
    const took = Number(/ at (\S+)$/.exec((await painted).text())[1]) - start;
    // Work after a page is painted must not count as the next page's time.
    await new Promise((rested) => setTimeout(rested, 150));
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await frame.waitFor({ state: "detached" });
    return took;
  };
  const ours = [];
  const peer = [];
  for (let round = 0; round <= rounds; round += 1) {
    for (const slug of Object.keys(skills)) {
      // Opening alone would use the cache; after a refresh, each round requests the skill like the first one.
      await vscode.commands.executeCommand("skillRegistry.refresh");
      const pair = [
        [peer, () => timeOf("Empty", openEmptyPage)],
        [ours, () => timeOf(skills[slug], () => openSkill(slug))],
      ];
      // The second page finds a warmer window, so the order alternates.
      for (const [times, measure] of round % 2 === 0 ? pair : pair.reverse()) {
        const took = await measure();
        if (round > 0) times.push(took);
      }
    }
  }
  // The first round warms up what both share.
  const heap = { ours: [], peer: [] };
  for (let round = 0; round < 2; round += 1) {
    heap.peer.push(await heldBy(() => openEmptyPage()));
    heap.ours.push(await heldBy((at) => openSkill(Object.keys(skills)[at])));
  }
  writeFileSync(process.env.SKILL_REGISTRY_PROBE_FILE, JSON.stringify({ ours, peer, heap }));
};

/** Returns the kilobytes of this host's heap that each of six open pages holds. */
async function heldBy(open) {
  const count = Object.keys(skills).length;
  const before = await settledHeap();
  for (let at = 0; at < count; at += 1) {
    await open(at);
    // Once a page is drawn, its host has answered all of its requests.
    await new Promise((rested) => setTimeout(rested, 700));
  }
  const held = (await settledHeap()) - before;
  await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  return held / count / 1e3;
}

async function settledHeap() {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  for (let times = 0; times < 3; times += 1) {
    collect();
    await new Promise((rested) => setTimeout(rested, 50));
  }
  return process.memoryUsage().heapUsed;
}

/** Runs in every frame of the window, and acts only in those that the editor creates for a page. */
function sayWhenPainted() {
  if (window.top === window || !location.pathname.endsWith("/index.html")) return;
  const look = () => {
    const page = document.querySelector("iframe#active-frame")?.contentDocument;
    const title = page?.querySelector("h1")?.textContent;
    const last = page?.querySelector(title === "Empty" ? "h1" : ".trust");
    if (!(last?.getBoundingClientRect().height > 0)) return requestAnimationFrame(look);
    // This callback runs before its frame is painted, and a message that it sends arrives after.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () =>
      console.info(`painted: ${title} at ${performance.timeOrigin + performance.now()}`);
    port2.postMessage(undefined);
  };
  requestAnimationFrame(look);
}

async function openEmptyPage() {
  const column = vscode.ViewColumn.Active;
  const panel = vscode.window.createWebviewPanel("empty", "Empty", column, { enableScripts: true });
  panel.webview.html = "<!DOCTYPE html><html><body><h1>Empty</h1></body></html>";
}

async function openSkill(slug) {
  await vscode.commands.executeCommand("skillRegistry.openSkill", slug);
}

async function workbench(browser) {
  for (const page of browser.contexts().flatMap((context) => context.pages())) {
    if ((await page.locator(".monaco-workbench").count()) > 0) return page;
  }
  throw new Error("There is no window to open pages in.");
}
