import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import * as vscode from "vscode";
import { eventually } from "./eventually";
import { Screen } from "./screen";

/**
 * Connects to the window these tests run in, through the debugging address that its host put into
 * SKILL_REGISTRY_TEST_CDP. Fails when there is none.
 */
export async function connectWindow(): Promise<EditorWindow> {
  const address = process.env.SKILL_REGISTRY_TEST_CDP;
  if (address === undefined) throw new Error("SKILL_REGISTRY_TEST_CDP names no window to drive.");
  const browser = await chromium.connectOverCDP(address);
  for (const page of browser.contexts().flatMap((context) => context.pages())) {
    const workbenches = await page.locator(".monaco-workbench").count();
    if (workbenches > 0) return new EditorWindow(browser, page);
  }
  throw new Error(`No window of VS Code at ${address}.`);
}

/** The window these tests run in: on the screen, and through the API of its extension host. */
export class EditorWindow extends Screen {
  constructor(
    private readonly browser: Browser,
    page: Page,
  ) {
    super(page);
  }

  /** Lets go of the window; the window itself stays open. */
  async disconnect(): Promise<void> {
    await this.browser.close();
  }

  /** Closes what earlier tests left open: pickers, notifications, editors (without saving), the panel. */
  async tidy(): Promise<void> {
    await vscode.commands.executeCommand("workbench.action.closeQuickOpen");
    await vscode.commands.executeCommand("notifications.clearAll");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await vscode.commands.executeCommand("workbench.action.closePanel");
  }

  /** Has the window store its state as it does before a reload, and keeps it from reloading. */
  async storeState(): Promise<void> {
    const isWindow = (url: URL) => url.pathname === "/";
    await this.page.route(isWindow, (route) => route.fulfill({ status: 204 }));
    const stays = (attribute: string) =>
      this.page.evaluate((name) => document.documentElement.toggleAttribute(name), attribute);
    await stays("data-stays");
    const reload = this.page.waitForRequest((request) => isWindow(new URL(request.url())));
    await vscode.commands.executeCommand("workbench.action.reloadWindow");
    await reload;
    await stays("data-stays");
    await this.page.unroute(isWindow);
  }

  /** Pastes `text` over all of the active editor's, and waits until extensions see it. */
  override async replaceText(text: string): Promise<void> {
    await super.replaceText(text);
    await eventually("the new text", () => textOfActiveEditor() === text);
  }

  /** Saves a picture of the window beside the results of this run. Resolves to its path. */
  async picture(name: string): Promise<string> {
    const path = join(process.env.SKILL_REGISTRY_TEST_OUT ?? "out", `${name}.png`);
    await this.savePicture(path);
    return path;
  }
}

function textOfActiveEditor(): string | undefined {
  return vscode.window.activeTextEditor?.document.getText();
}
