import { posix } from "node:path";
import type * as vscode from "vscode";
import { standIn } from "../screen/board";
import type { MemoryDocument } from "../screen/documents";
import { Notice, Progress } from "../screen/questions";
import { MemoryInput, MemoryPick } from "../screen/quickInput";
import { Channel, MemoryTree } from "../screen/views";
import * as enums from "./enums";
import * as languageValues from "./languageValues";
import type { Parts } from "./parts";
import { MemoryController } from "./testing";
import * as values from "./values";

/** Makes the module `vscode` of one editor. */
export function makeApi(parts: Parts): typeof vscode {
  const { board, documents, files, languages, quickInputs, settings, statusBar, tabs } = parts;

  const say =
    (severity: Notice["severity"]) =>
    (message: string, ...given: unknown[]): Promise<unknown> => {
      const options = isOptions(given[0]) ? (given.shift() as vscode.MessageOptions) : {};
      const items = given as (string | vscode.MessageItem)[];
      const titles = items.map((item) => (typeof item === "string" ? item : item.title));
      return new Promise((resolve) => {
        const kind = options.modal === true ? "dialog" : "notification";
        const detail = options.modal === true ? (options.detail ?? "") : "";
        const notice = new Notice(kind, severity, message, detail, titles, (button) => {
          parts.notices = parts.notices.filter((one) => one !== notice);
          board.changed();
          resolve(items.find((_, index) => titles[index] === button));
        });
        parts.notices = [...parts.notices, notice];
        board.changed();
      });
    };

  const window = {
    get activeTextEditor() {
      return tabs.activeEditor?.api;
    },
    get visibleTextEditors() {
      return tabs.visibleEditors.map(({ api }) => api);
    },
    get state() {
      return { focused: parts.isFocused, active: parts.isFocused };
    },
    terminals: [],
    onDidOpenTerminal: parts.terminalOpened.event,
    tabGroups: tabs.api,
    onDidChangeActiveTextEditor: tabs.onDidChangeActiveTextEditor,
    onDidChangeVisibleTextEditors: tabs.onDidChangeVisibleTextEditors,
    onDidChangeWindowState: parts.windowStateChanged.event,
    showInformationMessage: say("information") as never,
    showWarningMessage: say("warning") as never,
    showErrorMessage: say("error") as never,
    showQuickPick: ((rows: readonly string[], options?: vscode.QuickPickOptions) =>
      quickInputs.pick(rows, options)) as never,
    showInputBox: (options) => quickInputs.ask(options),
    createQuickPick: <T extends vscode.QuickPickItem>() => new MemoryPick<T>(quickInputs),
    createInputBox: () => new MemoryInput(quickInputs),
    showWorkspaceFolderPick: async (options) => {
      const rows = files.folders.map((folder) => ({ label: folder.name, folder }));
      const chosen = await quickInputs.pick(rows, options);
      return (chosen as (typeof rows)[number] | undefined)?.folder;
    },
    showSaveDialog: (options) => parts.askForFile(options?.title ?? "Save", options?.defaultUri),
    setStatusBarMessage: (text: string, until?: number | Thenable<unknown>) =>
      statusBar.say(text, until),
    createStatusBarItem: ((id: string, alignment: vscode.StatusBarAlignment, priority?: number) =>
      statusBar.create(id, alignment, priority)) as never,
    createOutputChannel: ((name: string) => {
      const channel = new Channel(name, board);
      parts.channels.push(channel);
      return channel.api;
    }) as never,
    createTreeView: (id, { treeDataProvider }) => {
      const tree = new MemoryTree(id, treeDataProvider as vscode.TreeDataProvider<unknown>, board);
      parts.trees.set(id, tree);
      return tree.api as never;
    },
    createWebviewPanel: (viewType, title, where, options) =>
      tabs.openPanel(viewType, title, where, options).api,
    registerWebviewPanelSerializer: (viewType, serializer) =>
      entry(parts.serializers, viewType, serializer),
    registerTerminalLinkProvider: (provider) => {
      parts.terminalLinks = provider;
      return new values.Disposable(undefined);
    },
    registerUriHandler: (handler) => {
      parts.uriHandler = handler;
      return new values.Disposable(undefined);
    },
    showTextDocument: async (
      what: vscode.TextDocument | vscode.Uri,
      where?: unknown,
      keeps?: boolean,
    ) => {
      const document = "uri" in what ? (what as MemoryDocument) : await documents.get(what);
      const options =
        typeof where === "number"
          ? { viewColumn: where, ...(keeps !== undefined && { preserveFocus: keeps }) }
          : (where as vscode.TextDocumentShowOptions | undefined);
      return tabs.showText(document, options).api;
    },
    withProgress: async ({ location, title = "", cancellable = false }, work) => {
      const progress = new Progress(title, cancellable);
      const isShown = location === enums.ProgressLocation.Notification;
      if (isShown) parts.progresses = [...parts.progresses, progress];
      board.changed();
      try {
        return await work(
          {
            report: ({ message }) => {
              progress.message = message ?? progress.message;
              board.changed();
            },
          },
          progress.token,
        );
      } finally {
        parts.progresses = parts.progresses.filter((one) => one !== progress);
        board.changed();
      }
    },
  } satisfies Partial<typeof vscode.window>;

  const workspace = {
    get textDocuments() {
      return documents.open;
    },
    get workspaceFolders() {
      return files.folders.length === 0 ? undefined : files.folders;
    },
    get isTrusted() {
      return parts.isTrusted;
    },
    onDidOpenTextDocument: documents.onDidOpen,
    onDidCloseTextDocument: documents.onDidClose,
    onDidChangeTextDocument: documents.onDidChange,
    onWillSaveTextDocument: documents.onWillSave,
    onDidSaveTextDocument: documents.onDidSave,
    onDidRenameFiles: documents.onDidRename,
    onDidChangeConfiguration: settings.onDidChange,
    onDidChangeWorkspaceFolders: parts.foldersChanged.event,
    onDidGrantWorkspaceTrust: parts.trusted.event,
    getConfiguration: (section) => settings.get(section),
    getWorkspaceFolder: (uri) => files.folderOf(uri),
    openTextDocument: (what?: vscode.Uri | string | { language?: string; content?: string }) =>
      documents.get(what),
    applyEdit: (edit) => documents.apply(edit),
    asRelativePath: (what) => {
      const uri = typeof what === "string" ? values.Uri.file(what) : what;
      const folder = files.folderOf(uri);
      if (folder === undefined) return uri.fsPath;
      const path = posix.relative(folder.uri.path, uri.path);
      return files.folders.length > 1 ? `${folder.name}/${path}` : path;
    },
    findFiles: (include, exclude, most) => files.find(include, exclude, most),
    createFileSystemWatcher: (...given) => files.watch(...given),
    registerFileSystemProvider: (scheme, provider, options) =>
      values.Disposable.from(
        new values.Disposable(files.provide(scheme, provider, options?.isReadonly === true)),
        documents.follow(provider),
      ),
    fs: standIn<vscode.FileSystem>("workspace.fs", {
      isWritableFileSystem: (scheme) => files.isWritable(scheme),
      stat: (uri) => files.stat(uri),
      readFile: (uri) => files.read(uri),
      writeFile: (uri, content) => files.write(uri, content),
      readDirectory: (uri) => files.list(uri),
      delete: (uri) => files.remove(uri),
      rename: (from, to) => files.move(from, to),
    }),
  } satisfies Partial<typeof vscode.workspace>;

  const languagesApi = {
    createDiagnosticCollection: (name = "") => languages.createCollection(name),
    getDiagnostics: ((uri?: vscode.Uri) =>
      uri === undefined ? languages.allProblems() : languages.problems(uri)) as never,
    onDidChangeDiagnostics: languages.onDidChangeDiagnostics,
    match: (selector, document) => languages.match(selector, document),
    setTextDocumentLanguage: async (document, languageId) =>
      documents.setLanguage(document as MemoryDocument, languageId),
    registerCodeActionsProvider: (selector, provider) =>
      languages.register(languages.codeActions, selector, provider),
    registerCodeLensProvider: (selector, provider) =>
      languages.register(languages.codeLenses, selector, provider),
    registerCompletionItemProvider: (selector, provider) =>
      languages.register(languages.completions, selector, provider),
    registerHoverProvider: (selector, provider) =>
      languages.register(languages.hovers, selector, provider),
    registerDefinitionProvider: (selector, provider) =>
      languages.register(languages.definitions, selector, provider),
    registerReferenceProvider: (selector, provider) =>
      languages.register(languages.references, selector, provider),
    registerRenameProvider: (selector, provider) =>
      languages.register(languages.renames, selector, provider),
    registerDocumentLinkProvider: (selector, provider) =>
      languages.register(languages.links, selector, provider),
  } satisfies Partial<typeof vscode.languages>;

  const env = {
    language: parts.language,
    appName: "Visual Studio Code",
    appHost: "desktop",
    uriScheme: "vscode",
    remoteName: undefined,
    clipboard: {
      readText: async () => parts.machine.clipboard,
      writeText: async (text: string) => {
        parts.machine.clipboard = text;
        board.changed();
      },
    },
    openExternal: async (target) => {
      parts.openedOutside.push(target.toString(true));
      board.changed();
      return true;
    },
  } satisfies Partial<typeof vscode.env>;

  const all = {
    ...values,
    ...languageValues,
    ...enums,
    version: "1.110.0",
    window: standIn<typeof vscode.window>("window", window),
    workspace: standIn<typeof vscode.workspace>("workspace", workspace),
    languages: standIn<typeof vscode.languages>("languages", languagesApi),
    env: standIn<typeof vscode.env>("env", env),
    commands: standIn<typeof vscode.commands>("commands", {
      registerCommand: (id, handler, self) => parts.commands.register(id, handler, self),
      executeCommand: ((id: string, ...given: unknown[]) =>
        parts.commands.run(id, ...given)) as never,
      getCommands: async () => parts.commands.list(),
    }),
    lm: standIn<typeof vscode.lm>("lm", {
      registerTool: (name, tool) =>
        entry(parts.tools, name, tool as vscode.LanguageModelTool<unknown>),
      invokeTool: async (name, options, token) => {
        const tool = parts.tools.get(name);
        if (tool === undefined) throw new Error(`Tool ${name} was not found.`);
        const given = options as vscode.LanguageModelToolInvocationOptions<unknown>;
        const result = await tool.invoke(
          given,
          token ?? new values.CancellationTokenSource().token,
        );
        return result ?? new values.LanguageModelToolResult([]);
      },
    }),
    authentication: standIn<typeof vscode.authentication>("authentication", {
      registerAuthenticationProvider: (id, _label, provider) => entry(parts.accounts, id, provider),
    }),
    tests: standIn<typeof vscode.tests>("tests", {
      createTestController: (id, label) => {
        const controller = new MemoryController(board, id, label);
        parts.controllers.set(id, controller);
        board.changed();
        return controller.api;
      },
    }),
    l10n: standIn<typeof vscode.l10n>("l10n", { t: translate(parts.words), bundle: parts.words }),
    SnippetTextEdit: languageValues.SnippetTextEdit as unknown as typeof vscode.SnippetTextEdit,
    WorkspaceEdit: languageValues.WorkspaceEdit as unknown as typeof vscode.WorkspaceEdit,
  } satisfies Partial<typeof vscode>;
  // With its own `__esModule`, a bundler does not copy the members, which would hide missing ones.
  return standIn<typeof vscode>("vscode", Object.assign(all, { __esModule: true }) as never);
}

function isOptions(given: unknown): boolean {
  return typeof given === "object" && given !== null && !("title" in given);
}

function entry<T>(all: Map<string, T>, id: string, value: T): vscode.Disposable {
  all.set(id, value);
  return new values.Disposable(() => all.delete(id));
}

function translate(words: Readonly<Record<string, string>> | undefined): typeof vscode.l10n.t {
  const t = (
    what: string | { message: string; args?: unknown[] | Record<string, unknown> },
    ...given: unknown[]
  ): string => {
    const message = typeof what === "string" ? what : what.message;
    const args =
      typeof what === "string" ? (isRecord(given[0]) ? given[0] : given) : (what.args ?? []);
    const text = words?.[message] ?? message;
    return text.replaceAll(/\{([^}]+)\}/g, (whole, name: string) => {
      const value = (args as Record<string, unknown>)[name];
      return value === undefined ? whole : String(value);
    });
  };
  return t as typeof vscode.l10n.t;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
