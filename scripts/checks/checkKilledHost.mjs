import { execFileSync } from "node:child_process";

const invocationsBetween = 3;

/**
 * Kills the extension host of a window in the middle of invocations, `kills` times at random moments, reloads the
 * window each time, and checks its record. The window's processes must descend from this one, and the window must be
 * high enough to draw every row of the record's view alone. Rejects if an invocation is lost.
 */
export async function checkKilledHost(screen, kills) {
  await screen.openContainer("Skill Registry");
  await collapseSkills(screen);
  const finished = [];
  for (let kill = 1; kill <= kills; kill += 1) {
    await screen.newPayload("Text statistics", "text-stats");
    for (let call = 0; call < invocationsBetween; call += 1)
      finished.push(await wholeInvocation(screen));
    await screen.newPayload("Slow report", "slow-report");
    await startSlowInvocation(screen, kill === 1);
    await screen.page.waitForTimeout(Math.random() * 1500);
    killHost();
    await screen.page.reload();
    await showContainer(screen);
    await collapseSkills(screen);
    await rowsOf(screen, /^slow-report@.*, outcome unknown/)
      .nth(kill - 1)
      .waitFor();
    const intact = rowsOf(screen, /^text-stats@.*, success/);
    await intact.nth(finished.length - 1).waitFor();
    const listed = await intact.count();
    if (listed !== finished.length)
      throw new Error(`${listed} of ${finished.length} calls are listed.`);
    console.log(`✔ host killed: ${listed} calls intact, ${kill} unknown`);
  }
}

function rowsOf(screen, name) {
  return screen.view("Invocations").getByRole("treeitem", { name });
}

/** Waits until the window has restored the container, or opens it. */
async function showContainer(screen) {
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

/** Collapses the Skills view, so that the record has the whole height: a row that is not drawn is not counted. */
async function collapseSkills(screen) {
  await screen.view("Skills").locator(".pane-header").press("ArrowLeft");
}

/** Invokes, and waits until that is recorded. */
async function wholeInvocation(screen) {
  const done = rowsOf(screen, /^text-stats@.*, success/);
  const before = await done.count();
  await screen.replaceText(JSON.stringify({ text: `Call ${before + 1}.` }));
  await screen.runCommand("Skill Registry: Invoke Skill");
  await done.nth(before).waitFor();
  return before + 1;
}

async function startSlowInvocation(screen, isFirst) {
  await screen.runCommand("Skill Registry: Invoke Skill");
  if (isFirst) await screen.pressInDialog("Invoke slow-report@", "Invoke");
  await rowsOf(screen, /^slow-report@.*, running/).waitFor();
}

/** Kills the only extension host that descends from this process, without warning. */
export function killHost() {
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
