// Runs the main job in a real window, step by step, with a check and a picture of each in out/demo: npm run demo. `--
// --theme=light --editor=oldest` chooses another theme or editor. `--kills=5` then kills the extension host five times
// and checks the record of invocations, and ends the window at each step of an invocation by a command of its terminal.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureInstalled } from "./ensureInstalled.mjs";

await ensureInstalled();
const { buildExtension } = await import("../esbuild.mjs");
const { out } = await import("./editor/paths.mjs");
const { startProcesses } = await import("./editor/startProcesses.mjs");
const { checkKilledHost } = await import("./checks/checkKilledHost.mjs");
const { checkKilledWindow } = await import("./checks/checkKilledWindow.mjs");
const { importTypeScript } = await import("./importTypeScript.mjs");
const { openScreen } = await import("./pictures/openScreen.mjs");

const { values } = parseArgs({
  options: {
    theme: { type: "string" },
    editor: { type: "string" },
    kills: { type: "string", default: "0" },
  },
});
const { kills, ...look } = values;
const pictures = join(out, "demo");
await rm(pictures, { recursive: true, force: true });
await mkdir(pictures, { recursive: true });
await buildExtension();
const { steps } = await importTypeScript("test/demo/steps.ts");

const processes = startProcesses();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.once(signal, () => processes.end().then(() => process.exit(1)));
}
const transcript = [];
let screen;
try {
  // High enough to draw every row of the record, since only drawn rows can be counted.
  const size = kills === "0" ? {} : { width: 1280, height: 1600 };
  screen = await openScreen(processes, { ...look, ...size });
  for (const [index, step] of steps.entries()) {
    const number = String(index + 1).padStart(2, "0");
    try {
      await step.act(screen);
      transcript.push(`${number} ${step.name}: ${await step.see(screen)}`);
    } finally {
      await screen.savePicture(join(pictures, `${number}-${step.name}.png`));
    }
    console.log(`✔ ${number} ${step.name}`);
  }
  await checkKilledHost(screen, Number(kills));
  if (kills !== "0") await checkKilledWindow(screen);
} catch (error) {
  console.error(`✘ ${error.stack}`);
  await screen?.savePicture(join(pictures, "failed.png"));
  process.exitCode = 1;
}
await processes.end();
console.log(`\n${transcript.join("\n")}\n\n${transcript.length} of ${steps.length} steps seen.`);
console.log(`Pictures: ${pictures}`);
await writeFile(join(pictures, "transcript.txt"), `${transcript.join("\n")}\n`);
// The connection to the closed browser would keep this process alive.
process.exit();
