// Kills the extension host of a real window in the middle of calls, at other moments each time, opens
// the window again and looks at its record: node scripts/checkKilledHost.mjs [how often, otherwise
// once]. A picture of a failure lies in out/killed.
import { execFileSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { ensureInstalled } from "./ensureInstalled.mjs";

ensureInstalled();
const { buildExtension } = await import("../esbuild.mjs");
const { out } = await import("../test/host/paths.mjs");
const { startProcesses } = await import("../test/host/startProcesses.mjs");
const { openScreen } = await import("./openScreen.mjs");

const kills = Number(process.argv[2] ?? 1);
const invocationsBetween = 3;

await buildExtension();
const processes = startProcesses();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.once(signal, () => processes.end().then(() => process.exit(1)));
}
let screen;
try {
  // High enough to draw every row: what is scrolled away is not there to be counted.
  screen = await openScreen(processes, { width: 1280, height: 1600 });
  screen.page.setDefaultTimeout(60_000);
  await screen.openContainer("Skill Registry");
  const finished = [];
  for (let kill = 1; kill <= kills; kill += 1) {
    await screen.newPayload("Text statistics", "text-stats");
    for (let call = 0; call < invocationsBetween; call += 1) finished.push(await wholeInvocation());
    await screen.newPayload("Slow report", "slow-report");
    await startSlowInvocation(kill === 1);
    await screen.page.waitForTimeout(Math.random() * 1500);
    killHost();
    await screen.page.reload();
    await showContainer();
    await rows(/^slow-report@.*, outcome unknown/)
      .nth(kill - 1)
      .waitFor();
    const intact = rows(/^text-stats@.*, success/);
    await intact.nth(finished.length - 1).waitFor();
    const listed = await intact.count();
    if (listed !== finished.length)
      throw new Error(`${listed} of ${finished.length} calls are listed.`);
    console.log(`✔ host killed: ${listed} calls intact, ${kill} unknown`);
  }
} catch (error) {
  console.error(`✘ ${error.stack}`);
  await mkdir(join(out, "killed"), { recursive: true });
  await screen?.savePicture(join(out, "killed/failed.png"));
  process.exitCode = 1;
}
await processes.end();
// The connection to the browser that has ended keeps this process waiting.
process.exit();

function rows(name) {
  return screen.view("Invocations").getByRole("treeitem", { name });
}

/** Waits until the window has opened the container again by itself, and opens it where it has not. */
async function showContainer() {
  const view = screen.view("Invocations");
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const isShown = await view.waitFor({ timeout: 6_000 }).then(
      () => true,
      () => false,
    );
    if (isShown) return;
    await screen.openContainer("Skill Registry");
  }
}

/** Makes a call and waits until it is on record. */
async function wholeInvocation() {
  const done = rows(/^text-stats@.*, success/);
  const before = await done.count();
  await screen.replaceText(JSON.stringify({ text: `Call ${before + 1}.` }));
  await screen.runCommand("Skill Registry: Invoke Skill");
  await done.nth(before).waitFor();
  return before + 1;
}

async function startSlowInvocation(isFirst) {
  await screen.runCommand("Skill Registry: Invoke Skill");
  if (isFirst) await screen.pressInDialog("Invoke slow-report@", "Invoke");
  await rows(/^slow-report@.*, running/).waitFor();
}

/** Ends the one extension host that descends from this process, without a word. */
function killHost() {
  const lines = execFileSync("ps", ["-e", "-o", "pid=,ppid=,args="], { encoding: "utf8" }).split(
    "\n",
  );
  const all = lines.map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []);
  const parents = new Map(all.map(([, pid, parent]) => [Number(pid), Number(parent)]));
  const isOurs = (pid) => pid !== undefined && (pid === process.pid || isOurs(parents.get(pid)));
  const hosts = all
    .filter(([, , , args]) => args?.includes("--type=extensionHost"))
    .map(([, pid]) => Number(pid))
    .filter(isOurs);
  if (hosts.length !== 1) throw new Error(`There are ${hosts.length} extension hosts, not one.`);
  process.kill(hosts[0], "SIGKILL");
}
