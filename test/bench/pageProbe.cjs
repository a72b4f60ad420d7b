// Runs in an extension host: opens, in turns, an empty webview and the page of a skill, each until its
// heading is on the screen, and writes the milliseconds of each to the file in SKILL_REGISTRY_PROBE_FILE.
const { writeFileSync } = require("node:fs");
const { performance } = require("node:perf_hooks");
const { chromium } = require("playwright-core");
const vscode = require("vscode");

/** Skills of the built-in registry: each is read anew, as a page that is opened for the first time is. */
const skills = {
  "text-stats": "Text statistics",
  "csv-profile": "CSV profile",
  "json-to-csv": "JSON to CSV",
  "markdown-outline": "Markdown outline",
  "json-diff": "JSON diff",
  "sql-format": "Format SQL",
};
const rounds = 4;

exports.run = async () => {
  const browser = await chromium.connectOverCDP(process.env.SKILL_REGISTRY_TEST_CDP);
  const window = await workbench(browser);
  const heading = window
    .frameLocator("iframe.webview.ready")
    .frameLocator("iframe#active-frame")
    .locator("h1");
  const timeOf = async (title, open) => {
    const start = performance.now();
    await open();
    await heading.filter({ hasText: title }).waitFor({ timeout: 20_000 });
    const took = performance.now() - start;
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await heading.waitFor({ state: "detached" });
    return took;
  };
  const ours = [];
  const peer = [];
  for (let round = 0; round <= rounds; round += 1) {
    for (const slug of Object.keys(skills)) {
      // Opening forgets nothing, so each round asks the registry again as the first one does.
      await vscode.commands.executeCommand("skillRegistry.refresh");
      const pair = [
        [peer, () => timeOf("Empty", openEmptyPage)],
        [ours, () => timeOf(skills[slug], () => openSkill(slug))],
      ];
      // Whoever comes second finds the window warmer, so they take turns.
      for (const [times, measure] of round % 2 === 0 ? pair : pair.reverse()) {
        const took = await measure();
        if (round > 0) times.push(took);
      }
    }
  }
  writeFileSync(process.env.SKILL_REGISTRY_PROBE_FILE, JSON.stringify({ ours, peer }));
};

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
