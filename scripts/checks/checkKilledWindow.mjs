import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../editor/paths.mjs";
import { importTypeScript } from "../importTypeScript.mjs";
import { killHost } from "./checkKilledHost.mjs";

const question = "Invoke text-stats@1.0.0";
/**
 * The delays between the registry's response and the end of the window, in milliseconds: while the response arrives,
 * and while it is stored.
 */
const momentsMs = [0, 10];

/**
 * Kills, reloads or closes a window at each step of an invocation by a command of its terminal, with a registry that
 * counts. Rejects if a payload is sent twice, or if a command ends other than with a sentence and the known outcome.
 */
export async function checkKilledWindow(screen) {
  const { startCountingRegistry } = await importTypeScript("test/unit/cli/countingRegistry.ts");
  const registry = await startCountingRegistry();
  const folder = await mkdtemp(join(tmpdir(), "skill-registry-window-"));
  try {
    await screen.runCommand("Skill Registry: Connect to Registry…");
    await screen.typeIntoQuickInput(registry.url);
    await screen.choose(`Connect to ${registry.url}`);
    await screen.runCommand("Skill Registry: Set Project Key…");
    await screen.answer(`sk_proj_${"f".repeat(40)}`);
    const kill = async () => {
      killHost();
      await screen.page.reload();
    };
    const reload = () => screen.page.reload();
    const address = screen.page.url();
    const close = () => screen.page.goto("about:blank");
    let window = "";
    for (const [end, endWindow] of Object.entries({
      killed: kill,
      reloaded: reload,
      closed: close,
    })) {
      for (const step of stepsOf(screen, registry)) {
        const text = `${end} ${step.name}`;
        window = await variableOf(screen, join(folder, "variable"), window);
        const running = invoke(text, window, folder);
        const tooEarly = running.then(({ code, out, err }) => {
          throw new Error(`${text}: the command ended with ${code}: ${out}${err}`);
        });
        await Promise.race([step.reach(text), tooEarly]);
        tooEarly.catch(() => undefined);
        await endWindow();
        const ended = await running;
        if (end === "closed") await screen.page.goto(address);
        registry.letGo();
        registry.describe({ fails: "" });
        judge(step, text, ended, registry.counts.get(text) ?? 0);
      }
    }
  } finally {
    registry.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function stepsOf(screen, registry) {
  const agree = () => screen.pressInDialog(question, "Invoke");
  const send = async (text) => {
    registry.answerNext("held", text);
    const reached = registry.reached(registry.total() + 1);
    await agree();
    await reached;
  };
  return [
    {
      name: "before the question",
      isSent: false,
      reach: async () => {
        registry.describe({ fails: "silent" });
        await registry.asked("/v1/skills/text-stats");
      },
    },
    {
      name: "during the question",
      isSent: false,
      reach: () => screen.dialog.filter({ hasText: question }).waitFor(),
    },
    { name: "while it is sent", isSent: true, reach: send },
    ...momentsMs.map((ms) => ({
      name: `${ms} ms after the answer`,
      isSent: true,
      mayEnd: true,
      reach: async (text) => {
        await send(text);
        registry.letGo();
        await screen.page.waitForTimeout(ms);
      },
    })),
  ];
}

/** Throws if a command did not end as its step allows. */
function judge({ isSent, mayEnd = false }, text, { code, out, err }, count) {
  const isUnknown = /"status":\s*"outcome unknown"/.test(out) && code === 3;
  const isNotSent = /Nothing was sent|closed or reloaded/.test(err) && out === "" && code === 3;
  const isGood = mayEnd && code === 0;
  const isRight = isSent ? count === 1 && (isUnknown || isGood) : count === 0 && isNotSent;
  if (!isRight) throw new Error(`${text}: sent ${count} times, ended with ${code}: ${out}${err}`);
  console.log(`✔ ${text}: ${isGood ? "success" : isUnknown ? "outcome unknown" : "not sent"}`);
}

/** Reads the variable of a new terminal of the window; the first terminal may be older than the current window. */
async function variableOf(screen, file, before) {
  for (;;) {
    await rm(file, { force: true });
    await screen.runCommand("Terminal: Create New Terminal");
    await screen.page.locator(".terminal.xterm.focus").first().waitFor();
    await screen.page.keyboard.type(`echo "$SKILL_REGISTRY_WINDOW" > ${file}\n`);
    const variable = await whenWritten(file);
    if (variable !== "" && variable !== before) return variable;
  }
}

async function whenWritten(file) {
  for (;;) {
    const text = await readFile(file, "utf8").catch(() => "");
    if (text.endsWith("\n")) return text.trim();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Runs the command like the terminal. */
function invoke(text, window, folder) {
  const args = ["invoke", "text-stats", `text=${text}`, "--format", "json"];
  const env = { PATH: process.env.PATH, HOME: folder, SKILL_REGISTRY_WINDOW: window };
  const child = spawn(process.execPath, [join(root, "dist/cli.js"), ...args], { cwd: folder, env });
  const said = { out: "", err: "" };
  child.stdout.on("data", (piece) => (said.out += piece));
  child.stderr.on("data", (piece) => (said.err += piece));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, ...said })));
}
