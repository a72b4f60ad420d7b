import type { Frame, FrameLocator, Locator, Page } from "playwright-core";
import { eventually, waitSeconds } from "../eventually";

/**
 * A window of VS Code as a person sees it: what is on the screen, the mouse and the keyboard. What
 * returns a Locator can be waited for, pressed, read; every wait ends after `waitSeconds` with an error.
 */
export class Screen {
  private shown: Page | undefined;

  /** Takes the page that shows the window, or none, which `show` brings later. */
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
   * Reads every frame of the window, the window's own first. Leaves out a frame that closes meanwhile,
   * as a page that is replaced does; what cannot be read for another reason is an error.
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
      // A list that is filled once more just then takes no click, and the palette stays open.
      await this.quickPickRow(title).click({ timeout: 15_000 });
      return eventually("the palette to go", async () => !(await this.isTyped(`>${title}`)), 10);
    });
  }

  /** Opens the palette and types `text` into it, again where a window that is just starting closes it. */
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
   * Chooses the row of the open quick pick whose label is exactly `label`, again where the list was filled anew
   * under the click. A pick for one row is gone then, so that what is typed next goes to what opens in its place;
   * in a pick for many the row's mark has changed.
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
   * Tries a click until it has worked, and before each further try has what lies over the window gone. A list that
   * opens under the resting mouse shows the tooltip of a row over that very row.
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
   * Moves the pointer to an element, straight from over the editors: the tooltip of what it was on before may
   * lie over that element, and goes.
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
    // One that came when the pointer had left stays, until the pointer was on it.
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
   * Presses a row, or a button in it, once, whatever lies over it of the row that the pointer was on before; again where
   * the row is drawn anew under the press.
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
    const row = this.quickInput.locator(".monaco-list-row").filter({ hasText: title }).first();
    // What opens late in a window that is just starting takes the focus, with which the picker closes.
    await eventually(`${title} in the picker`, async () => {
      // The search asks for the skill, where other commands take the one in front or the selected row.
      await this.runCommand("Skill Registry: Search Skills…");
      await this.typeIntoQuickInput(slug, 15_000);
      return succeeds(row.waitFor({ timeout: 15_000 }));
    });
    await row.hover();
    await row.getByRole("button", { name: "Open Payload" }).click();
    await active.and(this.page.locator(`[data-resource-name^="${slug}."]`)).waitFor();
    await this.statusBarItem(new RegExp(`${slug}@[\\d.]+: valid`)).waitFor();
  }

  /** Types over what the open input box or quick pick holds, without accepting it. */
  async typeIntoQuickInput(text: string, timeout = waitSeconds * 1000): Promise<void> {
    await this.quickInput.locator("input:not([type=checkbox])").first().fill(text, { timeout });
  }

  /** Closes the open quick pick or input box by its key, again where the focus comes from a page and is not in it yet. */
  async leaveQuickInput(): Promise<void> {
    await eventually("the quick input to close", async () => {
      await this.page.keyboard.press("Escape");
      return succeeds(this.quickInput.waitFor({ state: "hidden", timeout: 5_000 }));
    });
  }

  /**
   * Types over what the open input box holds and accepts it. The box is gone then, or says what is wrong: while an
   * extension looks at the answer it would take what is typed into the next one.
   */
  async answer(text: string): Promise<void> {
    await this.typeIntoQuickInput(text);
    await this.page.keyboard.press("Enter");
    const refusal = this.quickInput.locator(".monaco-inputbox.error");
    await eventually(`“${text}” to be taken or refused`, async () => {
      return !(await this.isTyped(text)) || (await refusal.count()) > 0;
    });
  }

  /** Opens a view container by its title in the activity bar; does nothing where it is open. */
  async openContainer(title: string): Promise<void> {
    const tab = this.page.locator(".activitybar").getByRole("tab", { name: title });
    const open = tab.and(this.page.locator("[aria-selected=true]"));
    // A window that opens it by itself at the same moment has it closed by the press.
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

  /** The rows of the trees on the screen whose label, as a screen reader says it, has `text`. */
  treeRow(text: string | RegExp): Locator {
    return this.page.getByRole("treeitem", { name: text });
  }

  /**
   * Presses a row or a code lens until what it opens is `shown`: what is drawn anew takes no press, and a list
   * that opens while the focus moves closes again. For what may be pressed twice. What is shown before the first
   * press may be what is about to go.
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

  /** Chooses an entry of a row's context menu by its exact title, behind those of the submenus it is in. */
  async chooseFromMenu(row: Locator, ...path: string[]): Promise<void> {
    const title = path.at(-1) ?? "";
    await eventually(`“${title}” in the menu of the row`, async () => {
      // A row that is drawn anew meanwhile closes its menu without a word.
      if ((await this.page.locator(".monaco-menu:visible").count()) > 0) {
        await this.page.keyboard.press("Escape");
      }
      await this.pointAt(row);
      await row.click({ button: "right", timeout: 15_000 });
      // A list that moved under the pointer opens the menu of another row, which then has the focus.
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

  /** Chooses an entry of the open context menu. Resolves to whether the menu was there to take it. */
  async chooseInMenu(title: string): Promise<boolean> {
    const entry = this.page.getByRole("menuitem", { name: title, exact: true });
    // A menu takes no click right after it opened, but it takes the keyboard.
    await entry.hover({ timeout: 10_000 });
    if (!(await entry.evaluate(watchKey))) return false;
    await this.page.keyboard.press("Enter");
    const { tookKey } = await this.page.evaluate(() => ({ ...document.documentElement.dataset }));
    // What took the key does what it says: to try again would do it twice.
    if (tookKey === "yes") await entry.waitFor({ state: "detached" });
    return tookKey === "yes";
  }

  /** A notification that contains `text`, by itself or in the list of all of them. */
  notification(text: string | RegExp): Locator {
    const places = ".notifications-toasts, .notifications-center";
    return this.page.locator(places).locator(".notification-list-item", { hasText: text });
  }

  /**
   * Clicks a button of the window once, again where it is drawn anew under the click: what is gone before the
   * mouse is up takes none, of which Playwright says nothing.
   */
  async press(button: Locator): Promise<void> {
    await this.retryUncovered("a button to take a click", () => this.click(button));
  }

  /** Clicks once. Resolves to whether what was meant took the click; a list may show another row in its place. */
  private async click(what: Locator): Promise<boolean> {
    const element = await what.elementHandle({ timeout: 15_000 });
    await element?.evaluate(watchClick);
    await element?.click({ timeout: 15_000 });
    const { tookClick } = await this.page.evaluate(() => ({ ...document.documentElement.dataset }));
    return tookClick === "yes";
  }

  /** The dialog that waits for an answer before anything else. */
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
    // A page that opens over another one stands beside it for a moment.
    const frame = this.page.locator("iframe.webview.ready:visible").last().contentFrame();
    return frame.frameLocator("iframe#active-frame");
  }

  /** The text editor that is active. */
  get editor(): Locator {
    return this.page.locator(".editor-group-container.active .monaco-editor");
  }

  /** Pastes `text` over all of the active editor's. */
  async replaceText(text: string): Promise<void> {
    await this.focusEditor(this.editor);
    await this.page.keyboard.press("ControlOrMeta+a");
    await this.page.keyboard.insertText(text);
  }

  /** Clicks into a text editor until it has the focus. */
  async focusEditor(editor: Locator): Promise<void> {
    await eventually("the editor to have the focus", async () => {
      // Its lines may reach beyond it: to click them, the browser scrolls what the editor believes in place.
      await editor.click({ timeout: 15_000 });
      // What opens beside it just then, or a window that is just starting, takes the focus away again.
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

/** Runs in the window: tells whether a menu's entry is in front, and notes whether its menu gets the next key. */
function watchKey(entry: Element): boolean {
  const menu = entry.closest(".monaco-menu");
  const { dataset } = document.documentElement;
  dataset["tookKey"] = "no";
  const note = (event: Event) => {
    if (menu !== null && event.composedPath().includes(menu)) dataset["tookKey"] = "yes";
  };
  addEventListener("keydown", note, { capture: true, once: true });
  return entry.closest(".action-item")?.classList.contains("focused") ?? false;
}

/** Runs in the window: notes whether an element gets the next click; the row of a list still as the row it was. */
function watchClick(element: Element): void {
  const { dataset } = document.documentElement;
  const { ariaLabel } = element;
  const isRow = element.classList.contains("monaco-list-row");
  dataset["tookClick"] = "no";
  const note = (event: Event) => {
    const isSame = !isRow || element.ariaLabel === ariaLabel;
    if (isSame && event.composedPath().includes(element)) dataset["tookClick"] = "yes";
  };
  addEventListener("click", note, { capture: true, once: true });
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
