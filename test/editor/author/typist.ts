import * as vscode from "vscode";
import { eventually } from "../eventually";
import type { EditorWindow } from "../window";

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

  /** Types a text sign by sign, and waits until it is in the editor. */
  async type(text: string): Promise<void> {
    this.presses += text.length;
    await this.window.page.keyboard.type(text, { delay: 10 });
  }

  /** Goes to the next stop of a snippet. */
  async next(): Promise<void> {
    await this.gone();
    await this.press("Tab");
  }

  /** Starts another line behind the one they are in. */
  async nextLine(): Promise<void> {
    await this.gone();
    await this.press("End");
    await this.press("Enter");
  }

  /** Starts another member behind the line they are in. */
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

  /** Takes an entry of the list that opened by itself. */
  async take(label: string): Promise<void> {
    await this.bringToFront(".suggest-widget.visible", ".label-name", label);
    await this.press("Tab");
    await this.gone();
  }

  /** Opens the list of what can stand here, and takes an entry. */
  async ask(label: string): Promise<void> {
    await this.gone();
    await this.press("Control+Space");
    await this.take(label);
  }

  /** Goes to the next problem of this input; F8 alone goes on in other files. */
  async nextProblem(): Promise<void> {
    await this.press("Alt+F8");
    await this.press("Escape");
  }

  /** Mends what is wrong at the cursor. */
  async fix(title: string): Promise<void> {
    await this.press("Control+.");
    await this.bringToFront(".action-widget", ".title", title);
    const before = this.text;
    await this.press("Enter");
    await eventually(`what "${title}" does`, () => this.text !== before);
  }

  /** The text in front of them. */
  get text(): string {
    return vscode.window.activeTextEditor?.document.getText() ?? "";
  }

  private async bringToFront(list: string, part: string, label: string): Promise<void> {
    const rows = this.window.page.locator(`${list} .monaco-list-row`);
    const labels = rows.locator(part);
    await eventually(`${label} in the list`, async () =>
      (await labels.allInnerTexts()).includes(label),
    );
    await eventually(`${label} is in front`, async () => {
      const focused = this.window.page.locator(`${list} .monaco-list-row.focused`).locator(part);
      if ((await focused.allInnerTexts()).includes(label)) return true;
      await this.press("ArrowDown");
      return false;
    });
  }

  /** Waits until no list is in the way. */
  private async gone(): Promise<void> {
    const rows = this.window.page.locator(".suggest-widget.visible .monaco-list-row");
    await rows.first().waitFor({ state: "hidden" });
  }
}
