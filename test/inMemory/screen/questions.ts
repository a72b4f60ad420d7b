// The editor's questions and messages: dialogs, notifications, pickers, inputs, progress.
import type * as vscode from "vscode";
import { CancellationTokenSource } from "../vscode/values";
import type { Board } from "./board";
import { MemoryInput, MemoryPick, type QuickInput } from "./quickInput";

/** A modal dialog or a notification, open until it is answered. */
export class Notice {
  constructor(
    readonly kind: "dialog" | "notification",
    readonly severity: "information" | "warning" | "error",
    readonly message: string,
    readonly detail: string,
    /** The titles of its buttons; a dialog's Cancel is not among them. */
    readonly buttons: readonly string[],
    private readonly end: (button: string | undefined) => void,
  ) {}

  /** Its whole text. */
  get text(): string {
    return this.detail === "" ? this.message : `${this.message}\n${this.detail}`;
  }

  /** Presses a button by its exact title; a dialog also has "Cancel". */
  press(button: string): void {
    const isCancel = this.kind === "dialog" && button === "Cancel";
    if (!isCancel && !this.buttons.includes(button)) {
      throw new Error(
        `“${this.message}” has no button ${button}, only ${this.buttons.join(", ")}.`,
      );
    }
    this.end(isCancel ? undefined : button);
  }

  /** Closes it without an answer. */
  close(): void {
    this.end(undefined);
  }
}

/** A progress notification. */
export class Progress {
  message = "";
  private readonly source = new CancellationTokenSource();

  constructor(
    readonly title: string,
    readonly isCancellable: boolean,
  ) {}

  get text(): string {
    return this.message === "" ? this.title : `${this.title}: ${this.message}`;
  }

  get token(): vscode.CancellationToken {
    return this.source.token;
  }

  cancel(): void {
    if (!this.isCancellable) throw new Error(`“${this.title}” cannot be canceled.`);
    this.source.cancel();
  }
}

/** The single place of a window for a picker or an input box: a new one replaces the open one. */
export class QuickInputs {
  current: MemoryPick<vscode.QuickPickItem> | MemoryInput | undefined;

  constructor(readonly board: Board) {}

  open(input: QuickInput): void {
    const before = this.current;
    if (before === input) return;
    this.current = input as MemoryInput;
    before?.gone();
    this.board.changed();
  }

  close(input: QuickInput): void {
    if (this.current !== input) return;
    this.current = undefined;
    input.gone();
    this.board.changed();
  }

  /** Lets the user choose among rows, as `showQuickPick` does. */
  async pick<T extends string | vscode.QuickPickItem>(
    given: readonly T[] | Thenable<readonly T[]>,
    options: vscode.QuickPickOptions & { canPickMany?: boolean } = {},
  ): Promise<T | T[] | undefined> {
    const pick = new MemoryPick<vscode.QuickPickItem & { readonly given: T }>(this);
    pick.title = options.title;
    pick.placeholder = options.placeHolder;
    pick.canSelectMany = options.canPickMany === true;
    pick.matchOnDescription = options.matchOnDescription === true;
    pick.matchOnDetail = options.matchOnDetail === true;
    return new Promise((resolve) => {
      pick.onDidAccept(() => {
        const chosen = pick.selectedItems.map((item) => item.given);
        resolve(pick.canSelectMany ? chosen : chosen[0]);
        pick.hide();
      });
      pick.onDidHide(() => resolve(undefined));
      pick.onDidChangeActive(([item]) => {
        if (item !== undefined) options.onDidSelectItem?.(item.given as string);
      });
      pick.busy = true;
      pick.show();
      void Promise.resolve(given).then((rows) => {
        pick.busy = false;
        pick.items = rows.map((row) =>
          typeof row === "string"
            ? { label: row, given: row }
            : { ...(row as vscode.QuickPickItem), given: row },
        );
      });
    });
  }

  /** Lets the user type a text, like `showInputBox`: Enter is rejected while the text is invalid. */
  async ask(options: vscode.InputBoxOptions = {}): Promise<string | undefined> {
    const input = new MemoryInput(this);
    input.title = options.title;
    input.prompt = options.prompt;
    input.placeholder = options.placeHolder;
    input.password = options.password === true;
    input.ignoreFocusOut = options.ignoreFocusOut === true;
    input.value = options.value ?? "";
    const check = async () => {
      const { value } = input;
      const problem = (await options.validateInput?.(value)) ?? undefined;
      if (value === input.value) input.validationMessage = problem === "" ? undefined : problem;
      return input.validationMessage;
    };
    return new Promise((resolve) => {
      input.onDidChangeValue(() => void check());
      input.onDidAccept(async () => {
        if (isWrong(await check())) return;
        resolve(input.value);
        input.hide();
      });
      input.onDidHide(() => resolve(undefined));
      input.show();
      if (input.value !== "") void check();
    });
  }
}

function isWrong(problem: string | vscode.InputBoxValidationMessage | undefined): boolean {
  return typeof problem === "string" || (problem !== undefined && problem.severity === 3);
}
