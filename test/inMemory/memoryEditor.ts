import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import * as workerThreads from "node:worker_threads";
import type * as vscode from "vscode";
import { homeVariable } from "../../src/engine/files/machine";
import type { StoreOperations } from "../../src/engine/store/store";
import type { LanguageResults } from "../../src/language/languageMessages";
import { openPromise } from "../fixtures/openPromise";
import { Page } from "./page";
import { Board, fits, standIn } from "./screen/board";
import { Documents, type MemoryDocument } from "./screen/documents";
import { Files, workspaceFolder } from "./screen/files";
import {
  MemoryInput,
  MemoryPick,
  type Notice,
  type Progress,
  QuickInputs,
} from "./screen/questions";
import { type MemoryPanel, Tabs } from "./screen/tabs";
import { type Channel, type MemoryTree, StatusBar, type TreeRow } from "./screen/views";
import { Clock } from "./vscode/clock";
import { Commands, type Handler, type Manifest } from "./vscode/commands";
import { Settings } from "./vscode/configuration";
import { ViewColumn } from "./vscode/enums";
import { Languages } from "./vscode/languages";
import { type Extension, loadExtension } from "./vscode/loadExtension";
import { Machine, Memory, TerminalVariables } from "./vscode/machine";
import { makeApi } from "./vscode/makeApi";
import type { Parts } from "./vscode/parts";
import { type HeldQuestions, workersOf } from "./vscode/threads";
import { EventEmitter, Range, Uri } from "./vscode/values";

/** Options for starting an editor. */
export interface EditorStart {
  /** The folders that are open. Default: none. */
  readonly folders?: readonly (string | vscode.Uri)[];
  /** The open files, of which the last is active. Default: none. */
  readonly open?: readonly vscode.Uri[];
  /** The view types of the pages restored from the last window. Default: none. */
  readonly pages?: readonly string[];
  /** Whether the extension learns of the tabs only after it was activated. Default: before. */
  readonly tabsComeLate?: boolean;
  /** The machine, which windows of one user share. Default: a new one. */
  readonly machine?: Machine;
  readonly language?: "en" | "de";
  readonly isTrusted?: boolean;
  /** The workspace's stored state. Default: empty. */
  readonly workspaceState?: Memory;
  /** The user's settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Whether its clock shows the real time, as other programs of its machine do. Default: about noon. */
  readonly showsRealTime?: boolean;
  /** Further environment variables, besides the one that names the machine's folder. */
  readonly env?: Readonly<Record<string, string>>;
}

const root = process.cwd();
/** Puts the tests at noon: what depends on the day would differ if one began meanwhile. */
const noonAheadMs = new Date().setHours(12, 0, 0, 0) - Date.now();
const bundle = join(root, "out/test/inMemory/extension.js");

/**
 * An editor in memory with the extension, as a person and other extensions see it. The screen is data. Whatever takes
 * time is awaited: a command, or `until` something is on the screen.
 */
export class MemoryEditor {
  readonly clock: Clock;
  readonly parts: Parts;
  /** The module `vscode` of this editor. */
  readonly vscode: typeof vscode;
  private readonly extension: Extension;
  private readonly subscriptions: { dispose(): unknown }[] = [];
  private readonly held: HeldQuestions = new Map();
  private readonly ownsMachine: boolean;
  private fileDialog:
    | { readonly title: string; readonly take: (uri?: vscode.Uri) => void }
    | undefined;

  constructor({
    folders = [],
    open = [],
    pages = [],
    tabsComeLate = false,
    machine,
    language = "en",
    isTrusted = true,
    workspaceState = new Memory(),
    settings = {},
    showsRealTime = false,
    env = {},
  }: EditorStart = {}) {
    this.clock = new Clock(showsRealTime ? 0 : noonAheadMs);
    this.ownsMachine = machine === undefined;
    const manifest = readManifest(language);
    const board = new Board(() => this.screen);
    const files = new Files(folders.map(workspaceFolder));
    const documents = new Documents(board, files);
    const config = new Settings(manifest.contributes.configuration.properties);
    for (const [name, value] of Object.entries(settings)) config.write(name, value);
    const usesPreviews = () => config.get("workbench.editor").get("enablePreview") === true;
    const loaded = (panel: MemoryPanel) => panel.send({ type: "ready" });
    const tabs = new Tabs(board, documents, usesPreviews, loaded);
    for (const uri of open) tabs.showText(documents.restore(uri));
    for (const viewType of pages) tabs.openPanel(viewType, viewType, ViewColumn.Active);
    if (tabsComeLate) tabs.hide();
    this.parts = {
      board,
      machine: machine ?? new Machine(),
      files,
      documents,
      tabs,
      languages: new Languages(board, files),
      settings: config,
      quickInputs: new QuickInputs(board),
      statusBar: new StatusBar(board),
      commands: new Commands(manifest, this.ownCommands(), () => board.changed()),
      trees: new Map(),
      channels: [],
      controllers: new Map(),
      serializers: new Map(),
      accounts: new Map(),
      tools: new Map(),
      openedOutside: [],
      windowStateChanged: new EventEmitter(),
      foldersChanged: new EventEmitter(),
      trusted: new EventEmitter(),
      terminalOpened: new EventEmitter(),
      variables: new TerminalVariables(() => board.changed()),
      language,
      words: language === "en" ? undefined : readJson(`l10n/bundle.l10n.${language}.json`),
      notices: [],
      progresses: [],
      uriHandler: undefined,
      terminalLinks: undefined,
      isFocused: true,
      isTrusted,
      askForFile: (title) =>
        new Promise((take) => {
          this.fileDialog = {
            title,
            take: (uri) => {
              this.fileDialog = undefined;
              take(uri);
            },
          };
          board.changed();
        }),
    };
    this.vscode = makeApi(this.parts);
    this.extension = loadExtension(bundle, {
      vscode: this.vscode,
      "node:worker_threads": { ...workerThreads, Worker: workersOf(this.clock, this.held) },
      "editor:globals": { ...this.clock.globals(), process: processOf(this.parts.machine, env) },
    });
    this.extension.activate(this.context(manifest, workspaceState));
  }

  /**
   * Delays the answer to a question to the store, such as "texts", or to a task of the language thread, such as "form",
   * until the returned function is called.
   */
  delayAnswer(question: keyof StoreOperations | keyof LanguageResults): () => void {
    const { promise, resolve } = openPromise<void>();
    this.held.set(question, promise);
    return () => {
      this.held.delete(question);
      resolve();
    };
  }

  /** Ends the extension like a closing window, and releases everything of the editor. */
  async dispose(): Promise<void> {
    for (const part of this.subscriptions.splice(0).reverse()) part.dispose();
    await this.extension.deactivate?.();
    this.clock.stop();
    if (this.ownsMachine) await this.parts.machine.dispose();
  }

  /** Runs a command. The extension's own need only the end of their ID, such as "invoke". */
  run(command: string, ...given: unknown[]): Promise<unknown> {
    const id = command.includes(".") ? command : `skillRegistry.${command}`;
    return this.parts.commands.run(id, ...given);
  }

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

  /** Changes a setting of the user, such as "skillRegistry.baseUrl"; undefined removes it. */
  set(name: string, value: unknown): void {
    this.parts.settings.write(name, value);
  }

  /** Waits until `look` returns something, now or after a change of the screen. Rejects with the whole screen. */
  until<T>(what: string, look: () => T | undefined | false): Promise<T> {
    return this.parts.board.until(what, look);
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

  /** Shows and draws a view of the container. */
  async view(name: "skills" | "project" | "invocations"): Promise<MemoryTree> {
    const tree = this.parts.trees.get(`skillRegistry.${name}`);
    if (tree === undefined) throw new Error(`There is no view ${name}.`);
    await tree.setVisible(true);
    return tree;
  }

  /** Waits until a view shows a row, and returns it. */
  async row(name: Parameters<MemoryEditor["view"]>[0], label: string | RegExp): Promise<TreeRow> {
    const tree = await this.view(name);
    return this.until(`the row ${label} in ${name}`, () => tree.row(label));
  }

  /** Presses a row: selects it and runs its command. */
  async pressRow(name: Parameters<MemoryEditor["view"]>[0], label: string | RegExp): Promise<void> {
    const row = await this.row(name, label);
    (await this.view(name)).select(row);
    const { command } = row.item;
    if (command !== undefined) await this.run(command.command, ...(command.arguments ?? []));
  }

  /** Returns the entries of a row's context menu, each with its command. */
  async rowMenu(name: Parameters<MemoryEditor["view"]>[0], label: string | RegExp) {
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
    name: Parameters<MemoryEditor["view"]>[0],
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

  /** The text of the output channel. */
  get output(): string {
    return this.channel("Skill Registry")?.text ?? "";
  }

  /** The text of the log channel. */
  get log(): string {
    return this.channel("Skill Registry Log")?.text ?? "";
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

  /** The whole screen as text. */
  get screen(): string {
    const { channels, commands, controllers, notices, progresses, quickInputs } = this.parts;
    const { statusBar, tabs, trees } = this.parts;
    const part = (title: string, text: string | undefined) =>
      text === undefined || text === "" ? [] : [`── ${title}`, text, ""];
    return [
      ...notices.flatMap(({ kind, text, buttons }) =>
        part(kind, `${text}\n(${buttons.join(") (")})`),
      ),
      ...progresses.flatMap(({ text }) => part("progress", text)),
      ...part("file dialog", this.fileDialog?.title),
      ...part("quick input", quickInputs.current?.text),
      ...tabs.all.flatMap(({ label, isActive, content }) =>
        part(`tab ${label}${isActive ? " (active)" : ""}`, textOf(content)),
      ),
      ...[...trees.values()].flatMap(({ id, isVisible, text }) =>
        part(`view ${id}`, isVisible ? text || commands.welcome(id) : ""),
      ),
      ...[...controllers.values()].flatMap(({ label, text }) => part(`tests ${label}`, text)),
      ...part("status bar", statusBar.texts.join(" · ")),
      ...channels.flatMap(({ name, text }) => part(`channel ${name}`, text)),
    ].join("\n");
  }

  private closeTabs(): void {
    const { tabs } = this.parts;
    for (const tab of tabs.all) if (tabs.all.includes(tab)) tabs.close(tab);
  }

  private channel(name: string): Channel | undefined {
    return this.parts.channels.find((channel) => channel.name === name);
  }

  private context(manifest: Manifest, workspaceState: Memory): vscode.ExtensionContext {
    const { machine } = this.parts;
    return standIn<vscode.ExtensionContext>("ExtensionContext", {
      subscriptions: this.subscriptions,
      workspaceState,
      globalState: machine.globalState,
      secrets: machine.secrets,
      extensionUri: Uri.file(root),
      globalStorageUri: Uri.file(machine.storage),
      environmentVariableCollection: standIn<vscode.GlobalEnvironmentVariableCollection>(
        "EnvironmentVariableCollection",
        this.parts.variables,
      ),
      extension: standIn<vscode.Extension<unknown>>("Extension", {
        id: `${manifest.publisher}.${manifest.name}`,
        packageJSON: manifest,
      }),
    });
  }

  /** The editor's own commands that the extension or a test runs. Their effects on the screen are not shown. */
  private ownCommands(): Readonly<Record<string, Handler>> {
    return {
      "vscode.diff": async (original: vscode.Uri, modified: vscode.Uri, title: string) => {
        await this.parts.documents.get(original);
        this.parts.tabs.showDiff(original, await this.parts.documents.get(modified), title);
      },
      "vscode.executeCompletionItemProvider": async (uri: vscode.Uri, at: vscode.Position) => {
        const document = await this.parts.documents.get(uri);
        return { items: await this.parts.languages.completionsAt(document, at) };
      },
      ...Object.fromEntries(
        (["skills", "project", "invocations"] as const).map((name) => [
          `skillRegistry.${name}.focus`,
          () => this.view(name),
        ]),
      ),
      "workbench.action.closeQuickOpen": () => this.parts.quickInputs.current?.leave(),
      "workbench.action.quickInputBack": () => this.parts.quickInputs.current?.pressButton("Back"),
      "workbench.action.acceptSelectedQuickOpenItem": () =>
        this.parts.quickInputs.current?.accept(),
      "workbench.action.closeAllEditors": () => this.closeTabs(),
      "workbench.action.revertAndCloseActiveEditor": () => {
        const { active } = this.parts.tabs;
        if (active !== undefined) this.parts.tabs.close(active);
      },
      "notifications.clearAll": () => {
        for (const notice of this.parts.notices) {
          if (notice.kind === "notification") notice.close();
        }
      },
      "editor.action.showHover": () => undefined,
      "editor.action.webvieweditor.showFind": () => undefined,
      "workbench.action.openSettings": () => undefined,
      "workbench.action.editor.changeLanguageMode": () => undefined,
      "workbench.actions.view.problems": () => undefined,
      "workbench.panel.testResults.view.focus": () => undefined,
    };
  }
}

/** Returns a `process` with an editor's environment, in which the machine has its own folder. */
function processOf({ storage }: Machine, more: EditorStart["env"]): NodeJS.Process {
  const env = { ...process.env, [homeVariable]: storage, ...more };
  return Object.create(process, { env: { value: env } });
}

function textOf(content: MemoryPanel | { readonly document: MemoryDocument }): string {
  return "document" in content
    ? content.document.getText()
    : content.html === ""
      ? "(empty page)"
      : "(page)";
}

function readManifest(language: string): Manifest {
  const words: Record<string, string> = {
    ...readJson("package.nls.json"),
    ...(language === "en" ? {} : readJson(`package.nls.${language}.json`)),
  };
  const text = readFileSync(join(root, "package.json"), "utf8");
  return JSON.parse(
    text.replaceAll(/"%([^"%]+)%"/g, (whole, name: string) =>
      words[name] === undefined ? whole : JSON.stringify(words[name]),
    ),
  );
}

function readJson(path: string): Record<string, string> {
  return JSON.parse(readFileSync(join(root, path), "utf8"));
}
