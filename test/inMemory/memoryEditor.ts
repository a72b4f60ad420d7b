import { posix } from "node:path";
import type * as vscode from "vscode";
import { MemoryWindow } from "./memoryWindow";
import { Page } from "./page";
import { fits } from "./screen/board";
import type { MemoryDocument } from "./screen/documents";
import type { Notice, Progress } from "./screen/questions";
import { MemoryInput, MemoryPick } from "./screen/quickInput";
import type { TreeRow } from "./screen/views";
import { Range, Uri } from "./vscode/values";

/**
 * An editor in memory with the extension, as a person and other extensions see it. The screen is data. Whatever takes
 * time is awaited: a command, or `until` something is on the screen.
 */
export class MemoryEditor extends MemoryWindow {
  /** Runs a command by its title in the palette. Throws if the palette does not offer it. */
  runFromPalette(title: string): Promise<unknown> {
    const { commands, tabs } = this.parts;
    const shown = tabs.active?.content;
    const page = shown !== undefined && "viewType" in shown ? shown.viewType : "";
    commands.keys.set("activeWebviewPanelId", page);
    return this.run(this.parts.commands.inPalette(title));
  }

  /** Connects to a registry, or to the built-in one. */
  async connectTo(registry?: { readonly baseUrl: string }): Promise<void> {
    await this.run("connect", registry?.baseUrl ?? "");
  }

  /** Waits for the dialog or notification that contains `text`. */
  notice(text: string | RegExp, kind?: Notice["kind"]): Promise<Notice> {
    return this.until(`a ${kind ?? "dialog or notification"} that says ${text}`, () =>
      this.parts.notices.find(
        (notice) => fits(notice.text, text) && (kind ?? notice.kind) === notice.kind,
      ),
    );
  }

  dialog(text: string | RegExp): Promise<Notice> {
    return this.notice(text, "dialog");
  }

  notification(text: string | RegExp): Promise<Notice> {
    return this.notice(text, "notification");
  }

  /** Waits for the dialog or notification that contains `text`, and presses a button of it. */
  async press(text: string | RegExp, button: string): Promise<void> {
    (await this.notice(text)).press(button);
  }

  /** Waits for the progress notification that contains `text`. */
  progress(text: string | RegExp): Promise<Progress> {
    return this.until(`progress that says ${text}`, () =>
      this.parts.progresses.find((progress) => fits(progress.text, text)),
    );
  }

  /** Waits until the open picker shows `text`. */
  pick(text: string | RegExp = ""): Promise<MemoryPick<vscode.QuickPickItem>> {
    return this.until(`a picker that shows ${text}`, () => {
      const { current } = this.parts.quickInputs;
      return current instanceof MemoryPick && fits(current.text, text) && current;
    });
  }

  /** Waits until the open input box shows `text`. */
  input(text: string | RegExp = ""): Promise<MemoryInput> {
    return this.until(`an input that shows ${text}`, () => {
      const { current } = this.parts.quickInputs;
      return current instanceof MemoryInput && fits(current.text, text) && current;
    });
  }

  /** Waits for a row of the open picker and accepts it. */
  async choose(label: string | RegExp): Promise<void> {
    const pick = await this.until(`a picker with the row ${label}`, () => {
      const { current } = this.parts.quickInputs;
      return current instanceof MemoryPick && current.row(label) !== undefined && current;
    });
    pick.choose(label);
  }

  /** Types a text into the open input and presses Enter. */
  async answer(text: string): Promise<void> {
    const input = await this.input();
    input.type(text);
    input.accept();
  }

  /** As a person: switches to another window, or back to this one. */
  setFocused(isFocused: boolean): void {
    this.parts.isFocused = isFocused;
    this.parts.windowStateChanged.fire({ focused: isFocused, active: isFocused });
  }

  /** Closes the picker or input that shows `text`, as Escape does. */
  async leave(text: string | RegExp = ""): Promise<void> {
    const open = await this.until(`a picker or input that shows ${text}`, () => {
      const { current } = this.parts.quickInputs;
      return current !== undefined && fits(current.text, text) && current;
    });
    open.leave();
  }

  /** Waits for a dialog that asks for a file, and chooses `path`; undefined cancels. */
  async chooseFile(path: string | undefined): Promise<void> {
    const dialog = await this.until("a dialog for files", () => this.fileDialog);
    dialog.take(path === undefined ? undefined : Uri.file(path));
  }

  /** Waits until the status bar shows a text. */
  status(text: string | RegExp): Promise<string> {
    return this.until(`${text} in the status bar`, () =>
      this.parts.statusBar.texts.find((shown) => fits(shown, text)),
    );
  }

  /** Waits until a view shows a row, and returns it. */
  async row(name: Parameters<MemoryWindow["view"]>[0], label: string | RegExp): Promise<TreeRow> {
    const tree = await this.view(name);
    return this.until(`the row ${label} in ${name}`, () => tree.row(label));
  }

  /** Presses a row: selects it and runs its command. */
  async pressRow(name: Parameters<MemoryWindow["view"]>[0], label: string | RegExp): Promise<void> {
    const row = await this.row(name, label);
    (await this.view(name)).select(row);
    const { command } = row.item;
    if (command !== undefined) await this.run(command.command, ...(command.arguments ?? []));
  }

  /** Returns the entries of a row's context menu, each with its command. */
  async rowMenu(name: Parameters<MemoryWindow["view"]>[0], label: string | RegExp) {
    const { item } = await this.row(name, label);
    const view = `skillRegistry.${name}`;
    const place = {
      view,
      viewItem: item.contextValue ?? "",
      listMultiSelection: (this.parts.trees.get(view)?.api.selection.length ?? 0) > 1,
    };
    return this.parts.commands.menu("view/item/context", place);
  }

  /** Runs an entry of a row's context menu by its title. */
  async runOnRow(
    name: Parameters<MemoryWindow["view"]>[0],
    label: string | RegExp,
    title: string,
  ): Promise<unknown> {
    const menu = await this.rowMenu(name, label);
    const entry = menu.find(([shown]) => shown === title);
    if (entry === undefined) throw new Error(`No “${title}” among ${menu.map(([one]) => one)}.`);
    const { element } = await this.row(name, label);
    const selection = this.parts.trees.get(`skillRegistry.${name}`)?.api.selection ?? [];
    // The command gets all selected rows if its own row is one of them.
    const several = selection.length > 1 && selection.includes(element) ? [selection] : [];
    return this.run(entry[1], element, ...several);
  }

  /** The document of the active text editor. Throws if there is none. */
  get document(): MemoryDocument {
    const editor = this.parts.tabs.activeEditor;
    if (editor === undefined) throw new Error(`No text editor is active.\n${this.screen}`);
    return editor.document;
  }

  /** The problems of the active document, as `code text`, sorted. */
  get problems(): readonly string[] {
    const { document } = this;
    return this.parts.languages
      .problems(document.uri)
      .filter(({ source }) => source === "skill-registry")
      .map(({ code, range }) => `${code} ${document.getText(range)}`)
      .sort();
  }

  /** Replaces the text of the active document. */
  write(text: string): void {
    this.parts.documents.replace(this.document, text);
  }

  /** Opens a new payload for a skill, writes `text` if given, and waits until it was checked. */
  async newPayload(slug: string, text?: string): Promise<MemoryDocument> {
    await this.run("newPayload", slug);
    if (text !== undefined) this.write(text);
    await this.checked();
    return this.document;
  }

  /**
   * Waits until the newest text of the active payload was checked. Resolves to its text in the status bar. Moves the
   * cursor to the first problem.
   */
  async checked(): Promise<string> {
    const { board, statusBar } = this.parts;
    const shown = () =>
      statusBar.texts.find((text) =>
        /: (valid|\d+ problems?(, not all checked)?|not checked)$/.test(text),
      );
    let isChecked = false;
    void this.run("validatePayload").finally(() => {
      isChecked = true;
      board.changed();
    });
    // If the skill cannot be read, the command waits until its message is closed.
    await this.until("the check", () => isChecked || shown()?.endsWith("not checked"));
    statusBar.clear();
    return this.until("how the payload was checked", shown);
  }

  /** Resolves to the code actions for the problems of the active document, or if it has none, at its start. */
  async actions(): Promise<readonly vscode.CodeAction[]> {
    const { document } = this;
    const { languages } = this.parts;
    const problems = languages.problems(document.uri).map(({ range }) => range);
    const places = problems.length === 0 ? [new Range(0, 0, 0, 0)] : problems;
    const found = await Promise.all(places.map((place) => languages.actionsAt(document, place)));
    return found.flat();
  }

  /** Applies the code action with a title: its edit, then its command. */
  async takeAction(title: string): Promise<unknown> {
    const actions = await this.actions();
    const action = actions.find((one) => one.title === title);
    if (action === undefined) {
      throw new Error(`No “${title}” among ${actions.map((one) => one.title)}.`);
    }
    if (action.edit !== undefined) await this.parts.documents.apply(action.edit);
    const { command } = action;
    return command && this.run(command.command, ...(command.arguments ?? []));
  }

  /** The titles of the buttons in the title bar of the active document. */
  get titleActions(): readonly string[] {
    const { uri, languageId } = this.document;
    const place = {
      resourceFilename: posix.basename(uri.path),
      resourcePath: uri.fsPath,
      resourceScheme: uri.scheme,
      isFileSystemResource: this.parts.files.has(uri.scheme),
      resourceLangId: languageId,
    };
    return this.parts.commands.menu("editor/title", place).map(([title]) => title);
  }

  /** Resolves to the current code lenses of the active document. */
  lenses(): Promise<vscode.CodeLens[]> {
    return this.parts.languages.lensesOf(this.document);
  }

  /** Presses the code lens of the active document whose title matches. */
  async pressLens(title: string | RegExp): Promise<unknown> {
    const lenses = await this.lenses();
    const command = lenses.find((lens) => fits(lens.command?.title ?? "", title))?.command;
    if (command === undefined) {
      throw new Error(`No lens ${title} among ${lenses.map((lens) => lens.command?.title)}.`);
    }
    return this.run(command.command, ...(command.arguments ?? []));
  }

  /** Chooses an entry of “More…” for the active payload. Resolves when it has ended. */
  async chooseAction(title: string | RegExp): Promise<unknown> {
    const pressed = this.pressLens(/^More…/);
    await this.choose(title);
    return pressed;
  }

  /** Waits for the page with a title, or for the active one. */
  async page(title?: string | RegExp): Promise<Page> {
    const panel = await this.until(`a page ${title ?? "in front"}`, () => {
      const { active, panels } = this.parts.tabs;
      const found = panels.find((one) =>
        title === undefined ? active?.content === one : fits(one.title, title),
      );
      return found !== undefined && found.html !== "" && found;
    });
    return new Page(panel, this.parts.board);
  }

  /**
   * Closes everything without saving, clears messages, and moves the clock so that the next click is no double click.
   * Rejects if the extension reported a bug.
   */
  async tidy(): Promise<void> {
    const { board, channels, documents, machine, notices, quickInputs, statusBar } = this.parts;
    const bug = notices.find(({ message }) => message.includes("unexpected error"));
    if (bug !== undefined) throw new Error(`${bug.message}\n${this.log}`);
    for (const notice of notices) notice.close();
    this.fileDialog?.take(undefined);
    quickInputs.current?.leave();
    this.closeTabs();
    for (const document of documents.open) documents.close(document);
    for (const channel of channels) channel.text = "";
    statusBar.clear();
    machine.clipboard = "";
    board.changed();
    await this.clock.advance(5_000);
  }
}
