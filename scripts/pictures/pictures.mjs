// Takes the README's pictures of the present extension: npm run pictures. media/screenshot.png is the window with a
// result, media/first-result.webp shows the way there, and media/walkthrough has a picture of each step, in a light and
// a dark theme.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ensureInstalled } from "../ensureInstalled.mjs";

await ensureInstalled();
const { default: sharp } = await import("sharp");
const { buildExtension } = await import("../../esbuild.mjs");
const { root } = await import("../editor/paths.mjs");
const { startProcesses } = await import("../editor/startProcesses.mjs");
const { fontConfiguration } = await import("../../test/goldens/fontConfiguration.mjs");
const { makeDataFolder, openScreen } = await import("./openScreen.mjs");

/** The window without its title bar, in pixels. */
const clip = { x: 0, y: 36, width: 1080, height: 604 };
/** The files of a team's folder, for the walkthrough about teams. */
const suite = {
  format: 1,
  skill: "text-stats@1.0.0",
  cases: [
    { name: "two words", payload: { text: "Two words." }, expect: { output: { "/words": 2 } } },
    { name: "no text", payload: {}, expect: { invalid: ["required"] } },
  ],
};
const longestMs = 15_000;
const mostBytes = 1_000_000;

await buildExtension();
const processes = startProcesses();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.once(signal, () => processes.end().then(() => process.exit(1)));
}
/** The pictures of the film, each with its duration in milliseconds. */
const frames = [];
const delays = [];
let pointer = { x: 420, y: 420 };
try {
  const dataFolder = await makeDataFolder(processes);
  const fontconfig = join(dataFolder, "fonts.conf");
  await writeFile(fontconfig, fontConfiguration(fontconfig));
  const size = { width: clip.width, height: clip.y + clip.height };
  const screen = await openScreen(processes, { dataFolder, fontconfig, ...size });
  await film(screen);
  await writeFilm(join(root, "media/first-result.webp"));
  await writeScreenshot(screen, join(root, "media/screenshot.png"));
  for (const theme of ["light", "dark"]) {
    await walkThrough(theme);
    await walkThroughTeam(theme);
  }
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
await processes.end();
// The connection to the closed browser would keep this process alive.
process.exit();

async function film(screen) {
  const { page } = screen;
  await screen.openContainer("Skill Registry");
  await screen.treeRow(/^JSON diff/).waitFor();
  await drawPointer(page);
  await show(page, 1200);
  await press(page, screen.treeRow(/^JSON diff/));
  await screen.webview.getByRole("heading", { level: 1 }).waitFor();
  await screen.webview.locator("vscode-panels:defined").waitFor();
  await screen.webview.locator(".trust").getByText("Verified").waitFor();
  await show(page, 2300);
  await press(page, screen.webview.getByRole("button", { name: "Open Payload" }).first());
  await screen.statusBarItem(/json-diff@[\d.]+: valid/).waitFor();
  await screen.codeLens(/Invoke json-diff@/).waitFor();
  // Over the text, the pointer would open a tooltip.
  await movePointer(page, { x: 760, y: 420 });
  await show(page, 1500);
  await screen.replaceText(payload("edits"));
  await screen.statusBarItem(/json-diff@[\d.]+: 1 problem/).waitFor();
  await screen.editor.locator(".squiggly-error").first().waitFor();
  await show(page, 1800);
  await screen.replaceText(payload("edit"));
  await screen.statusBarItem(/json-diff@[\d.]+: valid/).waitFor();
  await screen.editor.locator(".squiggly-error").waitFor({ state: "detached" });
  await show(page, 1000);
  await press(page, screen.codeLens(/Invoke json-diff@/));
  const result = page.locator('.monaco-editor[data-uri^="skill-output"]');
  await result.getByText("/replicas").first().waitFor();
  await result.locator(".codelens-decoration a", { hasText: "Copy" }).waitFor();
  await screen
    .view("Invocations")
    .getByRole("treeitem", { name: /json-diff/ })
    .waitFor();
  await show(page, 4000);
}

/** Takes a picture for each step of the walkthrough, in a separate window. */
async function walkThrough(theme) {
  const dataFolder = await makeDataFolder(processes);
  const fontconfig = join(dataFolder, "fonts.conf");
  await writeFile(fontconfig, fontConfiguration(fontconfig));
  const size = { width: 1000, height: 640 };
  const screen = await openScreen(processes, { dataFolder, fontconfig, theme, ...size });
  const { page } = screen;
  const take = (step, part, most) => takeStep(page, size, `${step}-${theme}`, part, most);
  await screen.openContainer("Skill Registry");
  const skill = screen.treeRow(/^JSON diff/);
  await skill.waitFor();
  await skill.click();
  await screen.webview.locator(".trust").getByText("Verified").waitFor();
  await screen.webview.locator("vscode-panels:defined").waitFor();
  await take("choose", screen.view("Skills"));
  const editor = page.locator(".editor-group-container.active .editor-container").first();
  // As wide as the page's texts.
  await take("read", editor, { width: 720, height: 400 });
  await screen.webview.getByRole("button", { name: "Open Payload" }).first().click();
  await screen.statusBarItem(/json-diff@[\d.]+: valid/).waitFor();
  await screen.replaceText(payload("edits"));
  await screen.editor.locator(".squiggly-error").first().waitFor();
  await screen.codeLens(/Invoke json-diff@/).waitFor();
  await take("write", editor, { width: 560, height: 200 });
  await screen.replaceText(payload("edit"));
  await screen.statusBarItem(/json-diff@[\d.]+: valid/).waitFor();
  await screen.codeLens(/Invoke json-diff@/).click();
  const result = page.locator('.monaco-editor[data-uri^="skill-output"]');
  await result.locator(".codelens-decoration a", { hasText: "Copy" }).waitFor();
  await take("invoke", result);
  const record = screen.view("Invocations");
  const invocation = record.getByRole("treeitem", { name: /json-diff/ }).first();
  await screen.chooseFromMenu(invocation, "Pin Invocation");
  await record.getByRole("treeitem", { name: /^Pinned/ }).waitFor();
  await take("keep", record);
  await page.close();
}

/** Takes a picture for each step of the walkthrough for teams. */
async function walkThroughTeam(theme) {
  const dataFolder = await makeDataFolder(processes);
  const folder = join(dataFolder, "team");
  await mkdir(folder);
  await writeFile(
    join(folder, "text-stats.skill-suite.json"),
    `${JSON.stringify(suite, undefined, 2)}\n`,
  );
  const fontconfig = join(dataFolder, "fonts.conf");
  await writeFile(fontconfig, fontConfiguration(fontconfig));
  const size = { width: 1000, height: 640 };
  const options = { dataFolder, fontconfig, theme, folder, ...size };
  const screen = await openScreen(processes, options);
  const { page } = screen;
  const take = (step, part) => takeStep(page, size, `${step}-${theme}`, part);
  const editor = page.locator(".editor-group-container.active .editor-container").first();
  await screen.openContainer("Skill Registry");
  const skill = screen.treeRow(/^Text statistics/);
  await skill.waitFor();
  await screen.runCommand("Skill Registry: Allow Agents to Invoke…");
  await screen.choose("Text statistics");
  const question = page.locator(".monaco-dialog-box");
  await question.waitFor();
  await take("agents", question);
  await page.keyboard.press("Escape");
  await screen.runCommand("Skill Registry: Check Readiness…");
  await screen.choose("Text statistics");
  await editor.getByText("text-stats").first().waitFor();
  await take("review", editor);
  await skill.locator(".monaco-tl-twistie").click({ force: true });
  const file = screen.treeRow(/^text-stats\.skill-suite\.json/);
  await file.click();
  await screen.chooseFromMenu(file, "Run Suite…");
  await screen.choose("Invoke Live");
  await question.getByRole("button", { name: "Invoke All" }).click();
  await editor.locator(".testing-run-glyph, .codicon-testing-passed-icon").first().waitFor();
  await page
    .getByText("2 passed")
    .or(editor.locator(".codicon-testing-passed-icon"))
    .first()
    .waitFor();
  await screen.runCommand("View: Hide Panel");
  await take("test", editor);
  await screen.runCommand("Skill Registry: Sign In…");
  await screen.choose("owner@local.example");
  for (const name of ["Skills", "Invocations"]) {
    await screen.view(name).locator(".pane-header").click();
  }
  const project = screen.view("Project");
  await project.getByRole("treeitem", { name: /^Installed Skills/ }).waitFor();
  await take("project", project);
  await page.close();
}

/** Takes a picture of a part of a window, in the size that a walkthrough shows. */
async function takeStep(page, size, name, part, most = { width: 560, height: 340 }) {
  await page.mouse.move(size.width - 5, size.height - 5);
  const { x, y, width, height } = await part.boundingBox();
  const clip = { x, y, width: Math.min(width, most.width), height: Math.min(height, most.height) };
  const picture = sharp(await settledPicture(page, clip)).webp({ lossless: true, effort: 6 });
  await picture.toFile(join(root, `media/walkthrough/${name}.webp`));
}

function payload(arrays) {
  return `{
  "before": {"replicas": 2},
  "after": {
    "replicas": 3,
    "ports": [443]
  },
  "arrays": "${arrays}"
}`;
}

/** Draws a pointer, which pictures of a headless browser lack. */
async function drawPointer(page) {
  await page.evaluate(() => {
    const arrow = document.createElement("div");
    arrow.id = "pointer";
    arrow.style.cssText = "position:fixed;z-index:9999999;pointer-events:none";
    arrow.innerHTML =
      '<svg width="20" height="26"><path d="M1 1v19l5-4 4 8 3-2-4-7h7z" fill="#fff" stroke="#000"/></svg>';
    document.body.append(arrow);
  });
  await movePointer(page, pointer);
}

async function movePointer(page, { x, y }) {
  pointer = { x, y };
  await page.mouse.move(x, y);
  await page.evaluate(
    ([left, top]) => {
      Object.assign(document.getElementById("pointer").style, { left, top });
    },
    [`${x}px`, `${y}px`],
  );
}

/** Moves the pointer onto an element like a hand, and clicks. */
async function press(page, element) {
  const box = await element.boundingBox();
  const [from, to] = [
    pointer,
    { x: box.x + Math.min(60, box.width / 2), y: box.y + box.height / 2 },
  ];
  for (const share of [0.15, 0.5, 0.85, 1]) {
    await movePointer(page, {
      x: Math.round(from.x + share * (to.x - from.x)),
      y: Math.round(from.y + share * (to.y - from.y)),
    });
    await show(page, share === 1 ? 250 : 60);
  }
  await page.mouse.down();
  await page.mouse.up();
}

async function show(page, delay) {
  frames.push(await settledPicture(page, clip));
  delays.push(delay);
}

/** Takes a picture once nothing moves any more. */
async function settledPicture(page, part) {
  let last = Buffer.alloc(0);
  for (let tries = 0; tries < 40; tries++) {
    const picture = await page.screenshot({ clip: part, animations: "disabled" });
    if (picture.equals(last)) return picture;
    last = picture;
    await page.waitForTimeout(60);
  }
  return last;
}

async function writeFilm(file) {
  const length = delays.reduce((sum, delay) => sum + delay, 0);
  const bytes = await sharp(frames, { join: { animated: true } })
    .webp({ lossless: true, effort: 6, minSize: true, delay: delays, loop: 0 })
    .toBuffer();
  console.log(`${file}: ${length / 1000} s, ${Math.round(bytes.length / 1000)} kB`);
  if (length > longestMs || bytes.length > mostBytes) throw new Error("The film is too long.");
  await writeFile(file, bytes);
}

async function writeScreenshot(screen, file) {
  const { page } = screen;
  await page.evaluate(() => document.getElementById("pointer").remove());
  await page.mouse.move(640, 600);
  await page.setViewportSize({ width: 1280, height: 760 });
  await screen.treeRow(/^json-diff@/).waitFor();
  const picture = await settledPicture(page, { x: 0, y: clip.y, width: 1280, height: 724 });
  await writeFile(
    file,
    await sharp(picture).png({ palette: true, quality: 100, effort: 10 }).toBuffer(),
  );
}
