// Opens a window with the extension, does what the arguments say, and takes pictures into out/look:
//   node scripts/pictures/look.mjs --theme=light container="Skill Registry" row="Text statistics"
//     webview="Open Payload" command="Skill Registry: Invoke Skill" picture=invoked
// A last picture is always taken. Options: --theme (dark, light, high-contrast, high-contrast-light),
// --packaged (packs the extension and installs it, as a new user does), --editor=oldest, --size=1280x800,
// --folder=PATH, --language=de (what extensions speak; VS Code itself stays English).
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureInstalled } from "../ensureInstalled.mjs";

await ensureInstalled();
const { buildExtension } = await import("../../esbuild.mjs");
const { out } = await import("../editor/paths.mjs");
const { startProcesses } = await import("../editor/startProcesses.mjs");
const { openScreen } = await import("./openScreen.mjs");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    theme: { type: "string" },
    editor: { type: "string" },
    folder: { type: "string" },
    language: { type: "string" },
    packaged: { type: "boolean", default: false },
    size: { type: "string", default: "1280x800" },
  },
});
const { size, packaged, ...options } = values;
const [width, height] = size.split("x").map(Number);
const pictures = join(out, "look");

/** The actions of arguments `name=text`. */
const actions = {
  command: (screen, text) => screen.runCommand(text),
  container: (screen, text) => screen.openContainer(text),
  row: (screen, text) => screen.treeRow(text).first().click(),
  press: (screen, text) => screen.page.getByRole("button", { name: text }).first().click(),
  choose: (screen, text) => screen.choose(text),
  answer: (screen, text) => screen.answer(text),
  webview: (screen, text) => screen.webview.getByRole("button", { name: text }).first().click(),
  tab: (screen, text) => screen.webview.getByRole("tab", { name: text }).first().click(),
  text: (screen, text) => screen.replaceText(text),
  type: (screen, text) => screen.page.keyboard.type(text),
  key: (screen, text) => screen.page.keyboard.press(text),
  hover: (screen, text) => screen.page.getByText(text).first().hover(),
  see: (screen, text) => screen.page.getByText(text).first().waitFor(),
  seeInWebview: (screen, text) => screen.webview.getByText(text).first().waitFor(),
  wait: (screen, text) => screen.page.waitForTimeout(Number(text)),
  picture,
};

await mkdir(pictures, { recursive: true });
await buildExtension();
const processes = startProcesses();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.once(signal, () => processes.end().then(() => process.exit(1)));
}
try {
  const vsix = packaged ? await packExtension() : undefined;
  const screen = await openScreen(processes, { ...options, vsix, width, height });
  try {
    for (const argument of positionals) {
      const [, name, text] = /^(\w+)=(.*)$/s.exec(argument) ?? [];
      if (actions[name] === undefined) throw new Error(`Nothing is called ${argument}.`);
      await actions[name](screen, text);
    }
  } finally {
    await picture(screen, "last");
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
await processes.end();
// The connection to the closed browser would keep this process alive.
process.exit();

/** Packs the extension. Imports the packer on demand, since it is large. */
async function packExtension() {
  const { packageExtension, packagePath } = await import("../packaging/packageExtension.mjs");
  await packageExtension({ twice: false });
  return packagePath;
}

async function picture(screen, name) {
  const path = join(pictures, `${name}.png`);
  await screen.savePicture(path);
  console.log(path);
}
