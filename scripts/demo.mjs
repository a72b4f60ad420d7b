// The main job in a real window, step by step, each seen and pictured in out/demo: npm run demo.
// `-- --theme=light --editor=oldest` picks another look or editor.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureInstalled } from "./ensureInstalled.mjs";

ensureInstalled();
const { buildExtension } = await import("../esbuild.mjs");
const { out } = await import("../test/host/paths.mjs");
const { startProcesses } = await import("../test/host/startProcesses.mjs");
const { importTypeScript } = await import("./importTypeScript.mjs");
const { openScreen } = await import("./openScreen.mjs");

const { values } = parseArgs({
  options: { theme: { type: "string" }, editor: { type: "string" } },
});
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
try {
  const screen = await openScreen(processes, values);
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
} catch (error) {
  console.error(`✘ ${error.message}`);
  process.exitCode = 1;
}
await processes.end();
console.log(`\n${transcript.join("\n")}\n\n${transcript.length} of ${steps.length} steps seen.`);
console.log(`Pictures: ${pictures}`);
await writeFile(join(pictures, "transcript.txt"), `${transcript.join("\n")}\n`);
// The connection to the browser that has ended keeps this process waiting.
process.exit();
