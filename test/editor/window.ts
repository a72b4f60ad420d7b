import { join } from "node:path";
import {
  type Browser,
  chromium,
  type FrameLocator,
  type Locator,
  type Page,
} from "playwright-core";

/**
 * Connects to the window these tests run in, through the debugging address that its host put into
 * SKILL_REGISTRY_TEST_CDP. Fails when there is none.
 */
export async function connectWindow(): Promise<EditorWindow> {
  const address = process.env.SKILL_REGISTRY_TEST_CDP;
  if (address === undefined) throw new Error("SKILL_REGISTRY_TEST_CDP names no window to drive.");
  const browser = await chromium.connectOverCDP(address);
  for (const page of browser.contexts().flatMap((context) => context.pages())) {
    if ((await page.locator(".monaco-workbench").count()) > 0)
      return new EditorWindow(browser, page);
  }
  throw new Error(`No window of VS Code at ${address}.`);
}

/** The window as a person sees it: what is on the screen, the mouse and the keyboard. */
export class EditorWindow {
  constructor(
    private readonly browser: Browser,
    readonly page: Page,
  ) {
    page.setDefaultTimeout(15_000);
  }

  /** Lets go of the window; the window itself stays open. */
  async disconnect(): Promise<void> {
    await this.browser.close();
  }

  /** Runs a command from the palette by its full title, for instance "Skills: Refresh". */
  async runCommand(title: string): Promise<void> {
    await this.page.keyboard.press("F1");
    await this.page.keyboard.type(title);
    await this.choose(title);
  }

  /** The quick pick or input box that is open. */
  get quickInput(): Locator {
    return this.page.locator(".quick-input-widget:visible");
  }

  /** Types into the open quick pick or input box, replacing what it holds. */
  async typeIntoQuickInput(text: string): Promise<void> {
    await this.quickInput.locator("input[type=text], input[type=password]").first().fill(text);
  }

  /** Answers an input box. */
  async answer(text: string): Promise<void> {
    await this.typeIntoQuickInput(text);
    await this.page.keyboard.press("Enter");
  }

  /** Chooses the row of the open quick pick whose label is exactly `label`. */
  async choose(label: string): Promise<void> {
    await this.quickPickRow(label).click();
  }

  /** The row of the open quick pick whose label is exactly `label`. */
  quickPickRow(label: string): Locator {
    const exact = new RegExp(`^${literal(label)}$`);
    return this.quickInput
      .locator(".monaco-list-row")
      .filter({ has: this.page.locator(".label-name", { hasText: exact }) });
  }

  /** Opens a view container by its title in the activity bar; does nothing where it is open. */
  async openContainer(title: string): Promise<void> {
    const tab = this.page.locator(".activitybar").getByRole("tab", { name: title });
    if ((await tab.getAttribute("aria-selected")) !== "true") await tab.click();
  }

  /** The rows of a tree view that contain `text`, by what a screen reader would say. */
  treeRow(text: string | RegExp): Locator {
    return this.page.getByRole("treeitem", { name: text });
  }

  /** A notification that contains `text`. Its buttons are found with getByRole in it. */
  notification(text: string | RegExp): Locator {
    return this.page.locator(".notification-list-item").filter({ hasText: text });
  }

  /** Presses a button of the notification that contains `text`. */
  async pressInNotification(text: string | RegExp, button: string): Promise<void> {
    await this.notification(text).getByRole("button", { name: button }).click();
  }

  /** The document inside the webview that is open in the editor area. */
  get webview(): FrameLocator {
    return this.page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame");
  }

  /** Saves a picture of the window beside the results of this run. Resolves to its path. */
  async picture(name: string): Promise<string> {
    const path = join(process.env.SKILL_REGISTRY_TEST_OUT ?? "out", `${name}.png`);
    await this.page.screenshot({ path });
    return path;
  }
}

function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
