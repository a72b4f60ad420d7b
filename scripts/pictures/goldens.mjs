// Compares pictures of the window with test/goldens, pixel by pixel: npm run goldens. For each difference, out/goldens
// has expected, actual and difference side by side. `-- --update` replaces them, `-- --only=page` keeps those whose
// name contains this part.
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { ensureInstalled } from "../ensureInstalled.mjs";

await ensureInstalled();
const { buildExtension } = await import("../../esbuild.mjs");
const { hostVersions } = await import("../editor/install/hostVersions.mjs");
const { out, root } = await import("../editor/paths.mjs");
const { startProcesses } = await import("../editor/startProcesses.mjs");
const { runSettings } = await import("../editor/runSettings.mjs");
const { fontConfiguration } = await import("../../test/goldens/fontConfiguration.mjs");
const { comparePictures, readPicture, sideBySide, writePicture } = await import(
  "./comparePictures.mjs"
);
const { importTypeScript } = await import("../importTypeScript.mjs");
const { makeDataFolder, openScreen } = await import("./openScreen.mjs");

const { values } = parseArgs({
  options: { update: { type: "boolean", default: false }, only: { type: "string", default: "" } },
});

// Makes dates and numbers the same everywhere.
Object.assign(process.env, { TZ: "UTC", LANG: "en_US.UTF-8" });

/** Maps each theme to the class of its window. */
const themes = {
  dark: "vs-dark",
  light: "vs",
  "high-contrast": "hc-black",
  "high-contrast-light": "hc-light",
};

/** The number of equal pictures in a row after which an unexpected one counts as final. */
const settledAfter = 8;
const mostTries = 80;

const goldens = join(root, "test/goldens");
const environmentFile = join(goldens, "environment.json");
const differences = join(out, "goldens");

const environment = await describeEnvironment();
const expectedEnvironment = await readFile(environmentFile, "utf8").then(JSON.parse, () => ({}));
if (!isComparable()) process.exit();

await rm(differences, { recursive: true, force: true });
await mkdir(differences, { recursive: true });
await buildExtension();
const { scenes, volatileParts, widths } = await importTypeScript("test/goldens/scenes.ts");
const processes = startProcesses();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.once(signal, () => processes.end().then(() => process.exit(1)));
}
const changed = [];
let taken = 0;
try {
  const dataFolder = await makeDataFolder(processes);
  const fontconfig = join(dataFolder, "fonts.conf");
  await writeFile(fontconfig, fontConfiguration(fontconfig));
  const themeFolder = join(dataFolder, "theme");
  const themeFile = join(themeFolder, "name");
  await mkdir(themeFolder);
  await writeFile(themeFile, "");
  const screen = await openScreen(processes, {
    dataFolder,
    fontconfig,
    extensions: [root, join(goldens, "themeSwitch")],
    env: { SKILL_REGISTRY_TEST_THEME: themeFile },
    width: widths.wide.window,
  });
  for (const scene of scenes) {
    await setWidth(screen, widths.wide);
    await scene.open(screen);
    for (const theme of Object.keys(themes)) {
      await setTheme(screen, themeFile, theme);
      for (const [width, pixels] of Object.entries(widths)) {
        await setWidth(screen, pixels);
        for (const [name, picture] of Object.entries(scene.pictures)) {
          const path = `${theme}/${name}-${width}.png`;
          if (path.includes(values.only)) await takePicture(screen, path, picture);
        }
      }
    }
  }
  if (values.update) await writeFile(environmentFile, `${JSON.stringify(environment, null, 2)}\n`);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
await processes.end();
report();
// The connection to the closed browser would keep this process alive.
process.exit();

/** Resolves to everything that pictures depend on besides the extension. */
async function describeEnvironment() {
  const versionOf = async (name) =>
    JSON.parse(await readFile(join(root, "node_modules", name, "package.json"), "utf8")).version;
  return {
    platform: `${process.platform} ${process.arch}`,
    editor: hostVersions.newest.vscode,
    chromium: process.env.CHROMIUM ?? (await versionOf("@sparticuz/chromium")),
    fonts: await versionOf("dejavu-fonts-ttf"),
  };
}

/** Returns whether pictures can be compared on this machine; otherwise logs the reason. */
function isComparable() {
  const other = Object.keys(environment).filter(
    (name) => environment[name] !== expectedEnvironment[name],
  );
  if (values.update || other.length === 0) return true;
  const list = other.map(
    (name) => `${name} ${environment[name]}, not ${expectedEnvironment[name]}`,
  );
  console.log(`The pictures of test/goldens were taken elsewhere: ${list.join("; ")}.`);
  const isMachine = other.includes("platform") || process.env.CHROMIUM !== undefined;
  console.log(
    isMachine
      ? "They are not compared on this machine."
      : "Look at the present ones, and take them anew: npm run goldens -- --update",
  );
  if (!isMachine) process.exitCode = 1;
  return false;
}

/** Changes the theme, even below a dialog. */
async function setTheme(screen, file, theme) {
  await writeFile(file, runSettings({ theme })["workbench.colorTheme"]);
  await screen.page.locator(`.monaco-workbench.${themes[theme]}`).waitFor();
}

async function setWidth(screen, { window, views }) {
  const { page, dialog } = screen;
  if (page.viewportSize()?.width !== window) {
    await page.setViewportSize({ width: window, height: 800 });
  }
  // Nothing below a dialog can be dragged.
  if ((await dialog.count()) > 0) return;
  const sidebar = page.locator(".part.sidebar");
  for (let tries = 0; tries < 10; tries++) {
    const box = await sidebar.boundingBox();
    if (box === null || Math.round(box.width) === views) return page.mouse.move(24, 560);
    const y = 300;
    await page.mouse.move(box.x + box.width, y);
    await page.mouse.down();
    await page.mouse.move(box.x + views, y, { steps: 3 });
    await page.mouse.up();
  }
  throw new Error(`The views do not become ${views} pixels wide.`);
}

/** Takes pictures until one is as expected, or nothing changes any more. */
async function takePicture(screen, path, picture) {
  const file = join(goldens, path);
  const golden = await readFile(file).then(readPicture, () => undefined);
  let last;
  for (let tries = 0, same = 0; tries < mostTries && same < settledAfter; tries++) {
    if (tries > 0) await screen.page.waitForTimeout(100);
    const actual = await readPicture(await shoot(screen, picture));
    if (golden !== undefined && comparePictures(golden, actual).differing === 0) {
      taken++;
      return;
    }
    same = last?.data.equals(actual.data) ? same + 1 : 0;
    last = actual;
  }
  taken++;
  changed.push(path);
  if (values.update) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, await writePicture(last));
    return;
  }
  const name = join(differences, path.replace("/", "-"));
  const shown =
    golden === undefined ? [last] : [golden, last, comparePictures(golden, last).difference];
  await writeFile(name, await sideBySide(...shown));
}

async function shoot(screen, { part, height, width = Infinity, inset = 0, volatile = [] }) {
  const { page } = screen;
  const box = await part(screen).boundingBox();
  const clip = {
    x: box.x + inset,
    y: box.y + inset,
    width: Math.min(width, box.width - 2 * inset),
    height: Math.min(height, box.height - inset),
  };
  return page.screenshot({
    clip,
    animations: "disabled",
    caret: "hide",
    mask: volatile.map((name) => volatileParts[name](screen)),
    maskColor: "#808080",
    // A scrollbar fades out by itself, and the editor draws a minimap when it has time.
    style: ".cursor, .scrollbar, .minimap { visibility: hidden !important }",
  });
}

function report() {
  const verb = values.update ? "written" : "not as expected";
  for (const path of changed) console.log(`${values.update ? "✎" : "✘"} ${path}`);
  console.log(`${taken} pictures, ${changed.length} ${verb}.`);
  if (values.update || changed.length === 0) return;
  console.log(
    `Expected, actual and difference: ${differences}\nMeant so? npm run goldens -- --update`,
  );
  process.exitCode = 1;
}
