import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as workerThreads from "node:worker_threads";
import type * as vscode from "vscode";
import { homeVariable } from "../../src/engine/files/machine";
import type { StoreOperations } from "../../src/engine/store/store";
import type { LanguageResults } from "../../src/language/languageMessages";
import { openPromise } from "../fixtures/openPromise";
import { Board, standIn } from "./screen/board";
import { Documents, type MemoryDocument } from "./screen/documents";
import { Files, workspaceFolder } from "./screen/files";
import type { MemoryPanel } from "./screen/memoryPanel";
import { QuickInputs } from "./screen/questions";
import { Tabs } from "./screen/tabs";
import { type Channel, type MemoryTree, StatusBar } from "./screen/views";
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
import { EventEmitter, Uri } from "./vscode/values";

/** Options for starting a window. */
export interface WindowStart {
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

/** A window in memory with the extension: its parts, its commands, and its screen as text. */
export class MemoryWindow {
  readonly clock: Clock;
  readonly parts: Parts;
  /** The module `vscode` of this editor. */
  readonly vscode: typeof vscode;
  private readonly extension: Extension;
  private readonly subscriptions: { dispose(): unknown }[] = [];
  private readonly held: HeldQuestions = new Map();
  private readonly ownsMachine: boolean;
  protected fileDialog:
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
  }: WindowStart = {}) {
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

  /** Changes a setting of the user, such as "skillRegistry.baseUrl"; undefined removes it. */
  set(name: string, value: unknown): void {
    this.parts.settings.write(name, value);
  }

  /** Waits until `look` returns something, now or after a change of the screen. Rejects with the whole screen. */
  until<T>(what: string, look: () => T | undefined | false): Promise<T> {
    return this.parts.board.until(what, look);
  }

  /** Shows and draws a view of the container. */
  async view(name: "skills" | "project" | "invocations"): Promise<MemoryTree> {
    const tree = this.parts.trees.get(`skillRegistry.${name}`);
    if (tree === undefined) throw new Error(`There is no view ${name}.`);
    await tree.setVisible(true);
    return tree;
  }

  /** The text of the output channel. */
  get output(): string {
    return this.channel("Skill Registry")?.text ?? "";
  }

  /** The text of the log channel. */
  get log(): string {
    return this.channel("Skill Registry Log")?.text ?? "";
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

  protected closeTabs(): void {
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
function processOf({ storage }: Machine, more: WindowStart["env"]): NodeJS.Process {
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
