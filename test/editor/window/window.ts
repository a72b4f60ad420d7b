import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import * as vscode from "vscode";
import { leaveOutSockets } from "../../../scripts/editor/browser/leaveOutSockets.mjs";
import { eventually, waitSeconds } from "../eventually";
import { Screen } from "./screen";

/** The page of a window in which no tests run, beside the one in which they do. */
const withoutTests =
  '#vscode-workbench-web-configuration:not([data-settings*="extensionTestsPath"])';

/** The window these tests run in: on the screen, and through the API of its extension host. */
export class EditorWindow extends Screen {
  private readonly ends: (() => unknown)[] = [];

  /** Whether a clean window shows the output channel, which the API cannot read otherwise. */
  showsOutput = false;
  private browser: Browser | undefined;

  /**
   * Connects to the window, through the debugging address that its host put into
   * SKILL_REGISTRY_TEST_CDP. Fails when there is none.
   */
  async connect(): Promise<void> {
    const address = process.env.SKILL_REGISTRY_TEST_CDP;
    if (address === undefined) throw new Error("SKILL_REGISTRY_TEST_CDP names no window to drive.");
    const browser = await chromium.connectOverCDP(address, { timeout: waitSeconds * 1000 });
    for (const page of browser.contexts().flatMap((context) => context.pages())) {
      const workbenches = await page.locator(".monaco-workbench").count();
      if (workbenches === 0 || (await page.locator(withoutTests).count()) > 0) continue;
      this.browser = browser;
      await leaveOutSockets(page);
      return this.show(page);
    }
    throw new Error(`No window of VS Code at ${address}.`);
  }

  /** Disconnects from the window, which stays open. */
  async disconnect(): Promise<void> {
    await this.browser?.close();
  }

  /** Registers cleanup for the end of this block, whether its tests fail or not. The last registered runs first. */
  atEnd(work: () => unknown): void {
    this.ends.push(work);
  }

  /** Runs all cleanup registered with `atEnd`, even if a part fails, and then reports the failure. */
  async end(): Promise<void> {
    const failures: unknown[] = [];
    for (const work of this.ends.splice(0).reverse()) {
      await Promise.resolve()
        .then(work)
        .catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw new AggregateError(failures, failures.join("\n"));
  }

  /**
   * Connects to a registry until the tests of this block end, and then to the built-in one again. Its
   * Project Key is removed then, and it is closed.
   */
  async connectTo(registry: { readonly baseUrl: string; close(): unknown }): Promise<void> {
    const connect = (baseUrl: string) =>
      vscode.commands.executeCommand("skillRegistry.connect", baseUrl);
    this.atEnd(() => registry.close());
    this.atEnd(() => connect(""));
    this.atEnd(async () => {
      await connect(registry.baseUrl);
      await this.removeProjectKey();
    });
    await connect(registry.baseUrl);
  }

  /** Removes the key of the registry in use, where there is one, and answers the question. */
  async removeProjectKey(): Promise<void> {
    let isDone = false;
    const done = vscode.commands.executeCommand("skillRegistry.removeProjectKey").then(() => {
      isDone = true;
    });
    const question = "Remove the Project Key for";
    const dialog = this.dialog.filter({ hasText: question });
    await eventually("the question", async () => isDone || (await dialog.isVisible()));
    if (!isDone) await this.pressInDialog(question, "Remove");
    await done;
  }

  /** Changes a setting of the user's until the tests of this block end, for instance `skillRegistry.baseUrl`. */
  async set(name: string, value: unknown): Promise<void> {
    const update = (to: unknown) => vscode.workspace.getConfiguration().update(name, to, true);
    const before = vscode.workspace.getConfiguration().inspect(name)?.globalValue;
    this.atEnd(() => update(before));
    await update(value);
  }

  /**
   * Closes what earlier tests left open: dialogs, menus, pickers, notifications, editors (without saving),
   * the panel; and waits until they are gone. Where the tests read it, the output channel is shown again.
   */
  async tidy(): Promise<void> {
    const modal = this.page.locator(".monaco-dialog-box, .monaco-menu:visible");
    const others = this.quickInput.or(this.notification(""));
    const keepsPanel = () => this.showsOutput && isOutputShown();
    // Unfinished work of a test may still open something.
    await eventually("a tidy window", async () => {
      if ((await modal.count()) > 0) {
        await this.page.keyboard.press("Escape");
        return false;
      }
      await vscode.commands.executeCommand("workbench.action.closeQuickOpen");
      await vscode.commands.executeCommand("notifications.clearAll");
      await vscode.commands.executeCommand("workbench.action.closeAllEditors");
      if (!keepsPanel()) await vscode.commands.executeCommand("workbench.action.closePanel");
      const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
      return tabs.length === 0 && (await others.count()) === 0;
    });
    if (!this.showsOutput) return;
    if (!isOutputShown()) {
      await vscode.commands.executeCommand("skillRegistry.showOutput");
      await eventually("the output channel", isOutputShown);
    }
    await vscode.commands.executeCommand("workbench.action.focusActiveEditorGroup");
  }

  /** Makes the window store its state as before a reload, without reloading. */
  async storeState(): Promise<void> {
    await this.page.evaluate(() => document.documentElement.toggleAttribute("data-stays", true));
    await vscode.commands.executeCommand("workbench.action.reloadWindow");
    const stayed = this.page.locator("html:not([data-stays])");
    await eventually("a window that stored its state", async () => (await stayed.count()) > 0);
  }

  /**
   * Keeps the window from storing anything more. After its extensions have stopped, it would store a state without
   * their views.
   */
  async storeNothingMore(): Promise<void> {
    await this.page.evaluate(() => {
      const begin = IDBDatabase.prototype.transaction;
      IDBDatabase.prototype.transaction = function (stores, mode, options) {
        if (mode === "readwrite") throw new Error("This window has stored its state.");
        return begin.call(this, stores, mode, options);
      };
    });
  }

  /**
   * Replaces the text of the active editor until extensions see it, since the keys may go to whatever takes the focus.
   */
  override async replaceText(text: string): Promise<void> {
    await eventually("the new text", async () => {
      await super.replaceText(text);
      return eventually("the new text", () => textOfActiveEditor() === text, 10);
    });
  }

  /** Saves a picture of the window beside the results of this run. Resolves to its path. */
  async picture(name: string): Promise<string> {
    const path = join(process.env.SKILL_REGISTRY_TEST_OUT ?? "out", `${name}.png`);
    await this.savePicture(path);
    return path;
  }
}

function isOutputShown(): boolean {
  return vscode.window.visibleTextEditors.some(({ document }) => document.uri.scheme === "output");
}

function textOfActiveEditor(): string | undefined {
  return vscode.window.activeTextEditor?.document.getText();
}
