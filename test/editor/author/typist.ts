import type { Locator } from "playwright-core";
import * as vscode from "vscode";
import { eventually } from "../eventually";
import type { EditorWindow } from "../window/window";

/** Somebody at the keyboard, who knows what an editor's keys do. Counts every key that is pressed. */
export class Typist {
  presses = 0;

  constructor(private readonly window: EditorWindow) {}

  /** Presses one key, or one combination such as "Control+." */
  async press(key: string, times = 1): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      this.presses += 1;
      await this.window.page.keyboard.press(key);
    }
  }

  /** Empties the text. Tries again if a list that opened meanwhile took the keys; repeated presses are not counted. */
  async clear(): Promise<void> {
    const { presses } = this;
    await eventually("nothing", async () => {
      this.presses = presses;
      await this.press("Control+a");
      await this.press("Delete");
      return eventually("nothing", () => this.text === "", 10);
    });
  }

  /** Types a text character by character. */
  async type(text: string): Promise<void> {
    this.presses += text.length;
    await this.window.page.keyboard.type(text, { delay: 10 });
  }

  /** Goes to the next tab stop of a snippet. */
  async next(): Promise<void> {
    await this.gone();
    await this.press("Tab");
  }

  /** Starts another line after the current one. */
  async nextLine(): Promise<void> {
    await this.gone();
    await this.press("End");
    await this.press("Enter");
  }

  /** Starts another member after the current line. */
  async member(): Promise<void> {
    await this.gone();
    await this.press("End");
    await this.type(",");
    await this.press("Enter");
  }

  /** Starts another member of the outermost object. */
  async lastMember(): Promise<void> {
    await this.toLastMember();
    await this.member();
  }

  /** Goes to the end of the last line inside the outermost object. */
  async toLastMember(): Promise<void> {
    await this.gone();
    await this.press("Control+End");
    await this.press("ArrowUp");
    await this.press("End");
  }

  /** Accepts an entry of the list that opened by itself. */
  async take(label: string): Promise<void> {
    await this.bringToFront(suggestions, ".label-name", label);
    const before = this.text;
    await this.press("Tab");
    // Another list may already be open again, and the accepted text may equal the text before.
    await eventually(`what "${label}" writes`, async () => {
      return this.text !== before || !(await this.shows(suggestions));
    });
  }

  /**
   * Opens the list of proposals and accepts an entry. Asks again if no list came, for example because the text was not
   * checked yet; repeated presses are not counted.
   */
  async ask(label: string): Promise<void> {
    await this.gone();
    const { presses } = this;
    await eventually("the list", async () => {
      if (await this.shows(suggestions)) return true;
      this.presses = presses;
      await this.press("Control+Space");
      return eventually("the list", () => this.shows(suggestions), 10);
    });
    await this.take(label);
  }

  /** Goes to the next problem of this document; F8 would continue in other files. */
  async nextProblem(): Promise<void> {
    // Extensions know of a problem before the editor does.
    await this.window.editor.locator("[class*=squiggly-]").first().waitFor();
    const explanation = this.window.page.locator(".marker-widget");
    await eventually("the explanation", async () => {
      await this.press("Alt+F8");
      return eventually("the explanation", () => explanation.isVisible(), 10);
    });
    await eventually("no explanation", async () => {
      await this.press("Escape");
      return eventually("no explanation", async () => !(await explanation.isVisible()), 10);
    });
  }

  /** Applies the fix with this title at the cursor. */
  async fix(title: string): Promise<void> {
    await this.openFixes();
    await this.takeFix(title);
  }

  private async takeFix(title: string): Promise<void> {
    await this.bringToFront(fixes, ".title", title);
    const before = this.text;
    await this.press("Enter");
    await eventually(`what "${title}" does`, () => this.text !== before);
  }

  /** Opens the list of fixes at the cursor, or waits until the editor says that there are none. */
  private async openFixes(): Promise<void> {
    const none = this.window.page.locator(".monaco-editor-overlaymessage:not(.fadeOut)");
    const answer = async () => (await this.shows(fixes)) || none.isVisible();
    await eventually("the fixes", async () => {
      if (await this.shows(fixes)) return true;
      await this.press("Control+.");
      // The editor also requests fixes by itself after a cursor move or a new problem, and drops an earlier request
      // silently. So one list opens, even if this request repeats it.
      return eventually("the fixes", answer, 10);
    });
  }

  /** The text of the active editor. */
  get text(): string {
    return vscode.window.activeTextEditor?.document.getText() ?? "";
  }

  private async bringToFront(list: string, part: string, label: string): Promise<void> {
    await eventually(`${label} in the list`, async () =>
      (await this.rows(list, part).allInnerTexts()).includes(label),
    );
    const inFront = () =>
      this.window.page.locator(`${list} .monaco-list-row.focused`).evaluateAll((rows, selector) => {
        const text = rows.map((row) => row.querySelector(selector)?.textContent).join();
        return { text, index: rows.map((row) => row.getAttribute("data-index")).join() };
      }, part);
    await eventually(`${label} is in front`, async () => {
      const { text, index } = await inFront();
      if (text === label) return true;
      await this.press("ArrowDown");
      // A second press before the highlight has moved would skip a row.
      await eventually("another row", async () => (await inFront()).index !== index, 5);
      return false;
    });
  }

  private rows(list: string, part: string): Locator {
    return this.window.page.locator(`${list} .monaco-list-row`).locator(part);
  }

  private shows(list: string): Promise<boolean> {
    return this.window.page.locator(`${list} .monaco-list-row`).first().isVisible();
  }

  /** Waits until no list of suggestions is open. */
  private async gone(): Promise<void> {
    await eventually("no list in the way", async () => !(await this.shows(suggestions)));
  }
}

const suggestions = ".suggest-widget.visible";
const fixes = ".action-widget";
