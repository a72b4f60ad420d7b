import type { FrameLocator, Locator, Page } from "playwright-core";
import { eventually } from "./eventually";

/**
 * A window of VS Code as a person sees it: what is on the screen, the mouse and the keyboard. What
 * returns a Locator can be waited for, pressed, read; every wait ends after 25 seconds with an error.
 */
export class Screen {
  constructor(readonly page: Page) {
    page.setDefaultTimeout(25_000);
  }

  /** Runs a command from the palette by its full title, for instance "Skill Registry: Refresh". */
  async runCommand(title: string): Promise<void> {
    await eventually(
      `“${title}” in the palette`,
      async () => {
        await this.openPalette(title);
        return succeeds(this.quickPickRow(title).click({ timeout: 10_000 }));
      },
      40,
    );
  }

  /** Opens the palette and types `text` into it, again where a window that is just starting closes it. */
  async openPalette(text: string): Promise<void> {
    const input = this.quickInput.locator("input").first();
    await eventually(
      "the palette",
      async () => {
        await this.page.keyboard.press("F1");
        return succeeds(input.fill(`>${text}`, { timeout: 10_000 }));
      },
      40,
    );
  }

  /** The quick pick or input box that is open. */
  get quickInput(): Locator {
    return this.page.locator(".quick-input-widget:visible");
  }

  /** The row of the open quick pick whose label is exactly `label`. */
  quickPickRow(label: string): Locator {
    const exact = new RegExp(`^${literal(label)}$`);
    const name = this.page.locator(".label-name", { hasText: exact });
    return this.quickInput.locator(".monaco-list-row").filter({ has: name });
  }

  /** Chooses the row of the open quick pick whose label is exactly `label`. */
  async choose(label: string): Promise<void> {
    await this.quickPickRow(label).click();
  }

  /** Types over what the open input box or quick pick holds, without accepting it. */
  async typeIntoQuickInput(text: string): Promise<void> {
    await this.quickInput.locator("input:not([type=checkbox])").first().fill(text);
  }

  /** Types over what the open input box holds and accepts it. */
  async answer(text: string): Promise<void> {
    await this.typeIntoQuickInput(text);
    await this.page.keyboard.press("Enter");
  }

  /** Opens a view container by its title in the activity bar; does nothing where it is open. */
  async openContainer(title: string): Promise<void> {
    const tab = this.page.locator(".activitybar").getByRole("tab", { name: title });
    const open = tab.and(this.page.locator("[aria-selected=true]"));
    // A window that opens it by itself at the same moment has it closed by the press.
    await eventually(`the container ${title}`, async () => {
      if ((await open.count()) > 0) return true;
      await tab.click();
      return succeeds(open.waitFor({ timeout: 5_000 }));
    });
  }

  /** A view of the open container, by its title: header, buttons and content. */
  view(title: string): Locator {
    const header = this.page.locator(".pane-header", { hasText: title });
    return this.page.locator(".sidebar .split-view-view .pane").filter({ has: header });
  }

  /** Presses a button in the header of a view, where it shows while the mouse is over the view. */
  async pressInView(title: string, button: string): Promise<void> {
    await this.view(title).hover();
    await this.view(title).getByRole("button", { name: button }).click();
  }

  /** The rows of the trees on the screen whose label, as a screen reader says it, has `text`. */
  treeRow(text: string | RegExp): Locator {
    return this.page.getByRole("treeitem", { name: text });
  }

  /** A notification that contains `text`. */
  notification(text: string | RegExp): Locator {
    return this.page.locator(".notifications-toasts .notification-list-item", { hasText: text });
  }

  /** Presses a button of the notification that contains `text`. */
  async pressInNotification(text: string | RegExp, button: string): Promise<void> {
    await this.notification(text).getByRole("button", { name: button }).click();
  }

  /** The dialog that waits for an answer before anything else. */
  get dialog(): Locator {
    return this.page.locator(".monaco-dialog-box");
  }

  /** Presses a button of the dialog that contains `text`. */
  async pressInDialog(text: string | RegExp, button: string): Promise<void> {
    const dialog = this.dialog.filter({ hasText: text });
    await dialog.getByRole("button", { name: button, exact: true }).click();
    await dialog.waitFor({ state: "detached" });
  }

  /** The document inside the webview that is open in the editor area. */
  get webview(): FrameLocator {
    return this.page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame");
  }

  /** The text editor that is active. */
  get editor(): Locator {
    return this.page.locator(".editor-group-container.active .monaco-editor");
  }

  /** Pastes `text` over all of the active editor's. */
  async replaceText(text: string): Promise<void> {
    await this.editor.locator(".view-lines").click();
    await this.page.keyboard.press("ControlOrMeta+a");
    await this.page.keyboard.insertText(text);
  }

  /** A button at the top right of the active editor group. */
  editorAction(label: string): Locator {
    const actions = this.page.locator(".editor-group-container.active .editor-actions");
    return actions.getByRole("button", { name: label });
  }

  /** A CodeLens of the active editor. */
  codeLens(text: string | RegExp): Locator {
    return this.editor.locator(".codelens-decoration a", { hasText: text });
  }

  /** An entry of the status bar. */
  statusBarItem(text: string | RegExp): Locator {
    return this.page.locator(".statusbar-item", { hasText: text });
  }

  /** Saves a picture of the window as `path`. */
  async savePicture(path: string): Promise<void> {
    await this.page.screenshot({ path });
  }
}

function succeeds(action: Promise<unknown>): Promise<boolean> {
  return action.then(
    () => true,
    () => false,
  );
}

function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
