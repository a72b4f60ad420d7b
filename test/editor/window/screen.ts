import type { Frame, FrameLocator, Locator, Page } from "playwright-core";
import { eventually, waitSeconds } from "../eventually";
import { watchClick, watchKey } from "./watchInput";

/**
 * A window of VS Code as a person sees it: the screen, the mouse and the keyboard. A returned Locator can be awaited,
 * pressed and read. Every wait ends after `waitSeconds` with an error.
 */
export class Screen {
  private shown: Page | undefined;

  /** Takes the page of the window, or none if `show` provides it later. */
  constructor(page?: Page) {
    if (page !== undefined) this.show(page);
  }

  /** The page that shows the window. Throws before there is one. */
  get page(): Page {
    if (this.shown === undefined) throw new Error("The window is not connected yet.");
    return this.shown;
  }

  protected show(page: Page): void {
    page.setDefaultTimeout(waitSeconds * 1000);
    this.shown = page;
  }

  /**
   * Reads every frame of the window, the window's own first. Skips frames that close meanwhile; every other failure is
   * an error.
   */
  async readFrames<T>(read: (frame: Frame) => Promise<T>): Promise<T[]> {
    const readOne = (frame: Frame) =>
      eventually(`what is in the frame ${frame.url()}`, async () => {
        if (frame.isDetached()) return [];
        return [await read(frame)];
      });
    return (await Promise.all(this.page.frames().map(readOne))).flat();
  }

  /** Runs a command from the palette by its full title, for instance "Skill Registry: Refresh". */
  async runCommand(title: string): Promise<void> {
    await this.retryUncovered(`“${title}” to be run from the palette`, async () => {
      await this.openPalette(title);
      // A list that is being filled again ignores the click, and the palette stays open.
      await this.quickPickRow(title).click({ timeout: 15_000 });
      return eventually("the palette to go", async () => !(await this.isTyped(`>${title}`)), 10);
    });
  }

  /** Opens the palette and types `text` into it. Tries again if a window that is just starting closes it. */
  async openPalette(text: string): Promise<void> {
    const input = this.quickInput.locator("input").first();
    await eventually("the palette", async () => {
      await this.page.keyboard.press("F1");
      await input.fill(`>${text}`, { timeout: 15_000 });
      return true;
    });
  }

  private async isTyped(text: string): Promise<boolean> {
    const inputs = this.quickInput.locator("input");
    return inputs.evaluateAll(
      (all, wanted) => all.some((each) => (each as HTMLInputElement).value === wanted),
      text,
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

  /**
   * Chooses the row of the open quick pick whose label is exactly `label`. Tries again if the list was refilled under
   * the click. A pick for one row has closed afterwards; in a pick for many, the row's check mark has changed.
   */
  async choose(label: string): Promise<void> {
    await this.takeRow(this.quickPickRow(label));
  }

  /** Takes a row of the open quick pick, as `choose` does. */
  async takeRow(row: Locator): Promise<void> {
    const takesMany = this.quickInput.and(this.page.locator(".show-checkboxes"));
    let isPressed = false;
    await this.retryUncovered("the row to be taken", async () => {
      if (isPressed && !(await row.isVisible())) return true;
      const before = await row.getAttribute("aria-checked", { timeout: 15_000 });
      await row.click({ timeout: 15_000 });
      isPressed = true;
      const isMarked = async () => (await row.getAttribute("aria-checked")) !== before;
      const isTaken = async () =>
        (await takesMany.count()) > 0 ? isMarked() : !(await row.isVisible());
      return eventually("the row to be taken", isTaken, 10);
    });
  }

  /**
   * Clicks until it has worked. Closes the tooltip before each further try, since the tooltip of a row may cover that
   * row.
   */
  private async retryUncovered(what: string, click: () => Promise<boolean>): Promise<void> {
    let isTried = false;
    await eventually(what, async () => {
      if (isTried) await this.dropTooltip();
      isTried = true;
      return click();
    });
  }

  /**
   * Moves the pointer to an element from over the editors, so that the tooltip of the previous element closes and does
   * not cover it.
   */
  async pointAt(element: Locator): Promise<void> {
    await this.leave();
    if (await succeeds(element.hover({ timeout: 5_000 }))) return;
    await this.dropTooltip();
    await element.hover({ timeout: 15_000 });
  }

  private async dropTooltip(): Promise<void> {
    await this.leave();
    if (!(await this.tooltip.isVisible())) return;
    // A tooltip that appeared after the pointer had left stays until the pointer was on it.
    await succeeds(this.tooltip.hover({ timeout: 5_000 }));
    await this.leave();
  }

  /** Moves the pointer over the editors. */
  private leave(): Promise<void> {
    return this.page.mouse.move(1000, 500);
  }

  /** The tooltip that is shown. */
  get tooltip(): Locator {
    return this.page.locator(".monaco-hover:visible").first();
  }

  /**
   * Presses a row, or a button in it, once, even if a tooltip covers it. Tries again if the row is redrawn under the
   * click.
   */
  async pressRow(row: Locator, button = row): Promise<void> {
    await eventually("the row to take a press", async () => {
      await this.pointAt(row);
      return this.click(button);
    });
  }

  /** Opens the payload for a skill, and waits until it is in front and was checked. */
  async newPayload(title: string, slug: string): Promise<void> {
    const active = this.page.locator(".editor-group-container.active .tab.active");
    const rows = this.quickInput.locator(".monaco-list-row");
    const row = rows.filter({ hasText: title }).first();
    // It comes with the results for the text. They replace those of the empty text, which a click may fall between.
    const rowOfText = rows
      .filter({ has: this.page.locator(".label-name", { hasText: slug }) })
      .first();
    // A view that opens late in a starting window takes the focus, and the picker closes.
    await eventually(`${title} in the picker`, async () => {
      // Searching asks which skill to use; other commands would use the active or selected one.
      await this.runCommand("Skill Registry: Search Skills…");
      await this.typeIntoQuickInput(slug, 15_000);
      return succeeds(rowOfText.waitFor({ timeout: 15_000 }));
    });
    await row.hover();
    await row.getByRole("button", { name: "Open Payload" }).click();
    await active.and(this.page.locator(`[data-resource-name^="${slug}."]`)).waitFor();
    await this.statusBarItem(new RegExp(`${slug}@[\\d.]+: valid`)).waitFor();
  }

  /** Replaces the text of the open input box or quick pick, without accepting it. */
  async typeIntoQuickInput(text: string, timeout = waitSeconds * 1000): Promise<void> {
    await this.quickInput.locator("input:not([type=checkbox])").first().fill(text, { timeout });
  }

  /** Closes the open quick pick or input box with Escape. Tries again if the focus is still on its way from a page. */
  async leaveQuickInput(): Promise<void> {
    await eventually("the quick input to close", async () => {
      await this.page.keyboard.press("Escape");
      return succeeds(this.quickInput.waitFor({ state: "hidden", timeout: 5_000 }));
    });
  }

  /**
   * Replaces the text of the open input box and accepts it. Waits until the box has closed or shows an error, since
   * further keys would otherwise go into the next box.
   */
  async answer(text: string): Promise<void> {
    await this.typeIntoQuickInput(text);
    await this.page.keyboard.press("Enter");
    const refusal = this.quickInput.locator(".monaco-inputbox.error");
    await eventually(`“${text}” to be taken or refused`, async () => {
      return !(await this.isTyped(text)) || (await refusal.count()) > 0;
    });
  }

  /** Opens a view container by its title in the activity bar, unless it is open. */
  async openContainer(title: string): Promise<void> {
    const tab = this.page.locator(".activitybar").getByRole("tab", { name: title });
    const open = tab.and(this.page.locator("[aria-selected=true]"));
    // If the window opens it by itself at the same moment, the click closes it.
    await eventually(`the container ${title}`, async () => {
      if ((await open.count()) > 0) return true;
      await tab.click({ timeout: 15_000 });
      return succeeds(open.waitFor({ timeout: 5_000 }));
    });
  }

  /** A view of the open container, by its title: header, buttons and content. */
  view(title: string): Locator {
    const header = this.page.locator(".pane-header", { hasText: title });
    return this.page.locator(".sidebar .split-view-view .pane").filter({ has: header });
  }

  /** Returns the rows of all visible trees whose accessible label contains `text`. */
  treeRow(text: string | RegExp): Locator {
    return this.page.getByRole("treeitem", { name: text });
  }

  /**
   * Presses a row or a code lens until `shown` is visible, since an element that is being redrawn ignores clicks and a
   * list that opens while the focus moves closes again. Only for what may be pressed twice. What is visible before the
   * first press may be about to close.
   */
  async pressUntil(row: Locator, shown: Locator): Promise<void> {
    let isPressed = false;
    await eventually("what the press opens", async () => {
      if (isPressed && (await shown.isVisible())) return true;
      await this.pointAt(row);
      await row.click({ timeout: 15_000 });
      isPressed = true;
      return eventually("what the press opens", () => shown.isVisible(), 10);
    });
  }

  /** Chooses an entry of a row's context menu by its exact title, through the titles of its submenus. */
  async chooseFromMenu(row: Locator, ...path: string[]): Promise<void> {
    const title = path.at(-1) ?? "";
    await eventually(`“${title}” in the menu of the row`, async () => {
      // A row that is redrawn meanwhile closes its menu silently.
      if ((await this.page.locator(".monaco-menu:visible").count()) > 0) {
        await this.page.keyboard.press("Escape");
      }
      await this.pointAt(row);
      await row.click({ button: "right", timeout: 15_000 });
      // If the list moved under the pointer, the menu of another row opens, which then has the focus.
      const isItsOwn = row.and(this.page.locator(".focused"));
      if (!(await succeeds(isItsOwn.waitFor({ timeout: 10_000 })))) return false;
      for (const submenu of path.slice(0, -1)) await this.openSubmenu(submenu);
      return this.chooseInMenu(title);
    });
  }

  /** Opens a submenu of the open menu by its exact title. */
  async openSubmenu(title: string): Promise<void> {
    const entry = this.page.getByRole("menuitem", { name: title, exact: true });
    await entry.hover({ timeout: 10_000 });
    await this.page.keyboard.press("ArrowRight");
  }

  /** Chooses an entry of the open context menu. Resolves to whether the menu was still open. */
  async chooseInMenu(title: string): Promise<boolean> {
    const entry = this.page.getByRole("menuitem", { name: title, exact: true });
    // Right after opening, a menu ignores clicks but takes key presses.
    await entry.hover({ timeout: 10_000 });
    if (!(await entry.evaluate(watchKey))) return false;
    await this.page.keyboard.press("Enter");
    const { tookKey } = await this.page.evaluate(() => ({ ...document.documentElement.dataset }));
    // If the menu took the key, its command runs; trying again would run it twice.
    if (tookKey === "yes") await entry.waitFor({ state: "detached" });
    return tookKey === "yes";
  }

  /** Returns a notification that contains `text`, alone or in the notification center. */
  notification(text: string | RegExp): Locator {
    const places = ".notifications-toasts, .notifications-center";
    return this.page.locator(places).locator(".notification-list-item", { hasText: text });
  }

  /**
   * Clicks a button of the window once. Tries again if it is redrawn under the click: Playwright does not report that
   * an element disappeared before the mouse was released.
   */
  async press(button: Locator): Promise<void> {
    await this.retryUncovered("a button to take a click", () => this.click(button));
  }

  /**
   * Clicks once. Resolves to whether the intended element got the click, since a list may show another row in its
   * place.
   */
  private async click(what: Locator): Promise<boolean> {
    const element = await what.elementHandle({ timeout: 15_000 });
    await element?.evaluate(watchClick);
    await element?.click({ timeout: 15_000 });
    const { tookClick } = await this.page.evaluate(() => ({ ...document.documentElement.dataset }));
    return tookClick === "yes";
  }

  /** The modal dialog. */
  get dialog(): Locator {
    return this.page.locator(".monaco-dialog-box");
  }

  /** Presses a button of the dialog that contains `text`. */
  async pressInDialog(text: string | RegExp, button: string): Promise<void> {
    const dialog = this.dialog.filter({ hasText: text });
    await this.press(dialog.getByRole("button", { name: button, exact: true }));
    await dialog.waitFor({ state: "detached" });
  }

  /** The document inside the webview that is open in the editor area. */
  get webview(): FrameLocator {
    // A new page and the one that it replaces exist side by side for a moment.
    const frame = this.page.locator("iframe.webview.ready:visible").last().contentFrame();
    return frame.frameLocator("iframe#active-frame");
  }

  /** The text editor that is active. */
  get editor(): Locator {
    return this.page.locator(".editor-group-container.active .monaco-editor");
  }

  /** Replaces the text of the active editor by pasting. */
  async replaceText(text: string): Promise<void> {
    await this.focusEditor(this.editor);
    await this.page.keyboard.press("ControlOrMeta+a");
    await this.page.keyboard.insertText(text);
  }

  /** Clicks into a text editor until it has the focus. */
  async focusEditor(editor: Locator): Promise<void> {
    await eventually("the editor to have the focus", async () => {
      // Its lines may be wider than the editor. To click them, the browser would scroll without the editor's knowledge.
      await editor.click({ timeout: 15_000 });
      // An editor that opens beside it, or a starting window, takes the focus away again.
      const focused = editor.and(this.page.locator(".focused"));
      return succeeds(focused.waitFor({ timeout: 5_000 }));
    });
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
