// Runs in an extension host: starts calls, cancels each in one of its phases as a person does, and
// writes how long that took to the file in SKILL_REGISTRY_PROBE_FILE, as {phase: [milliseconds]}.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium, type Page } from "playwright-core";
import * as vscode from "vscode";
import { InvocationStore } from "../../src/host/audit/invocationStore";
import { eventually } from "../editor/eventually";
import { Screen } from "../editor/screen";
import { type CancelPhase, consentPhase, keyPhase, phasesOfAnyCall } from "./cancelPhases";
import type { Conduct } from "./cancelRegistry";

const rounds = 5;
const file = process.env["SKILL_REGISTRY_PROBE_FILE"] ?? "";
const storage = process.env["SKILL_REGISTRY_PROBE_STORAGE"] ?? "";
const registryUrl = process.env["SKILL_REGISTRY_PROBE_REGISTRY"] ?? "";
const projectKey = process.env["SKILL_REGISTRY_PROBE_KEY"] ?? "";

/** Measures every phase, and writes what came out; a picture of the window instead where that fails. */
export async function run(): Promise<void> {
  const browser = await chromium.connectOverCDP(process.env["SKILL_REGISTRY_TEST_CDP"] ?? "");
  const page = await workbench(browser.contexts().flatMap((context) => context.pages()));
  try {
    await writeFile(file, JSON.stringify(await measured(new Screen(page))));
  } catch (error) {
    await page.screenshot({ path: `${file}.png` });
    throw error;
  }
}

async function measured(screen: Screen): Promise<Record<string, number[]>> {
  const settings = vscode.workspace.getConfiguration("skillRegistry");
  await settings.update("history.keepTexts", "always", true);
  await settings.update("maxResponseMegabytes", 20, true);
  await command("connect", registryUrl);
  await command("newPayload", "word-tally");
  const store = new InvocationStore(join(storage, "invocations"));
  const times: Record<string, number[]> = {};
  const measure = async (name: string, phase: CancelPhase) => {
    const ofPhase: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await write(`${name} ${round}`);
      await screen.statusBarItem(/word-tally@.*: valid/).waitFor();
      await steer(phase.conduct ?? "usual");
      const undo = await phase.arrange?.();
      const ended = command("invoke").then(() => Date.now());
      const { pressedAt, goneAt } = await phase.leave();
      ofPhase.push(Math.max(goneAt, await ended) - pressedAt);
      await steer("usual");
      await undo?.();
      await vscode.commands.executeCommand("notifications.clearAll");
      await eventually("the record's end", async () =>
        (await store.list(1000)).records.every(({ status }) => status !== "running"),
      );
    }
    times[name] = ofPhase;
    console.log(`${name}: ${ofPhase.join(", ")} ms`);
  };
  await measure("asking for consent", consentPhase(screen));
  await write("the first that is agreed to");
  const first = command("invoke");
  await screen.pressInDialog("Call word-tally", "Call Skill");
  await keyPhase(screen).leave();
  await first;
  await measure("asking for the key", keyPhase(screen));
  await write("the first that is sent");
  await screen.quickInput.waitFor({ state: "hidden" });
  const sent = command("invoke");
  await screen.answer(projectKey);
  await sent;
  const finish = () => steer("finish");
  for (const [name, phase] of Object.entries(phasesOfAnyCall(screen, write, finish))) {
    await measure(name, phase);
  }
  return times;
}

function steer(order: Conduct | "finish"): Promise<unknown> {
  return fetch(`${registryUrl}/conduct/${order}`, { method: "POST" });
}

async function write(text: string): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) throw new Error("There is no input to write into.");
  const { document } = editor;
  const whole = new vscode.Range(0, 0, document.lineCount, 0);
  await editor.edit((edit) => edit.replace(whole, JSON.stringify({ text })));
}

function command(name: string, ...args: unknown[]): Promise<unknown> {
  return Promise.resolve(vscode.commands.executeCommand(`skillRegistry.${name}`, ...args));
}

async function workbench(pages: readonly Page[]): Promise<Page> {
  for (const page of pages) {
    if ((await page.locator(".monaco-workbench").count()) > 0) return page;
  }
  throw new Error("There is no window to call in.");
}
