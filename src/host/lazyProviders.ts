import * as vscode from "vscode";
import type { CaseLevel } from "../core/suite/runSuite";
import { payloadFilePattern, suiteControllerId, suiteFilePattern, testControllerId } from "./ids";
import { loadedOnce } from "./loadedOnce";

/**
 * Registers a view until it is first visible: only then is `load` called, which must call `attach` with the
 * provider of the rows.
 */
export class LazyTreeDataProvider<Row> implements vscode.TreeDataProvider<Row> {
  private readonly changed = new vscode.EventEmitter<Row | Row[] | undefined | null>();
  private readonly view: vscode.TreeView<Row>;
  private provider: vscode.TreeDataProvider<Row> | undefined;
  private subscription: vscode.Disposable | undefined;

  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    viewId: string,
    private readonly load: () => Promise<unknown>,
    options: { readonly canSelectMany?: boolean } = {},
  ) {
    this.view = vscode.window.createTreeView(viewId, { treeDataProvider: this, ...options });
  }

  /** Passes the view to the provider of its rows. */
  attach(provider: vscode.TreeDataProvider<Row>): vscode.TreeView<Row> {
    this.provider = provider;
    this.subscription = provider.onDidChangeTreeData?.((row) =>
      this.changed.fire(row ?? undefined),
    );
    return this.view;
  }

  async getChildren(row?: Row): Promise<Row[]> {
    if (this.provider === undefined) await this.load();
    return (await this.provider?.getChildren(row)) ?? [];
  }

  async getTreeItem(row: Row): Promise<vscode.TreeItem> {
    return this.provider?.getTreeItem(row) ?? new vscode.TreeItem("");
  }

  getParent(row: Row): vscode.ProviderResult<Row> {
    return this.provider?.getParent?.(row);
  }

  resolveTreeItem(
    item: vscode.TreeItem,
    row: Row,
    token: vscode.CancellationToken,
  ): vscode.ProviderResult<vscode.TreeItem> {
    return this.provider?.resolveTreeItem?.(item, row, token) ?? item;
  }

  dispose(): void {
    this.subscription?.dispose();
    this.view.dispose();
    this.changed.dispose();
  }
}

/** The reading and writing of a scheme's files. */
export type FileContents = Pick<
  vscode.FileSystemProvider,
  "onDidChangeFile" | "stat" | "readFile" | "writeFile"
>;

/** Registers a file system until one of its files is first used: only then is `load` called. */
export class LazyFileSystem implements vscode.FileSystemProvider {
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  private readonly registration: vscode.Disposable;
  private readonly get: () => Promise<FileContents>;
  private subscription: vscode.Disposable | undefined;

  readonly onDidChangeFile = this.changed.event;

  constructor(scheme: string, load: () => Promise<FileContents>) {
    this.get = loadedOnce(async () => {
      const provider = await load();
      this.subscription = provider.onDidChangeFile((events) => this.changed.fire(events));
      return provider;
    });
    this.registration = vscode.workspace.registerFileSystemProvider(scheme, this, {
      isCaseSensitive: true,
    });
  }

  watch(): vscode.Disposable {
    return { dispose: () => undefined };
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    return (await this.get()).stat(uri);
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return (await this.get()).readFile(uri);
  }

  async writeFile(
    uri: vscode.Uri,
    content: Uint8Array,
    options: { readonly create: boolean; readonly overwrite: boolean },
  ): Promise<void> {
    await (await this.get()).writeFile(uri, content, options);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.registration.dispose();
    this.subscription?.dispose();
    this.changed.dispose();
  }
}

/** The functions of a Test Explorer entry once it is used. */
export interface TestProvider {
  /** Discovers the files again. */
  discover(): Promise<void>;
  /** Runs the requested tests up to a level. Resolves when all have run or the user stopped the run. */
  run(
    request: vscode.TestRunRequest,
    token: vscode.CancellationToken,
    level: CaseLevel,
  ): Promise<void>;
}

/** Matches files that are never listed. */
export const unlistedFiles = "**/node_modules/**";

/** Registers the entries of saved payloads and of suites, which one search of the workspace looks for. */
export function testEntries(
  loadPayloads: TestEntry["load"],
  loadSuites: TestEntry["load"],
): vscode.Disposable {
  const payloads = new LazyTestController({
    id: testControllerId,
    label: vscode.l10n.t("Skill Payloads"),
    pattern: payloadFilePattern,
    profiles: [{ label: vscode.l10n.t("Check"), level: "offline" }],
    load: loadPayloads,
  });
  const suites = new LazyTestController({
    id: suiteControllerId,
    label: vscode.l10n.t("Skill Suites"),
    pattern: suiteFilePattern,
    profiles: [
      { label: vscode.l10n.t("Check Offline"), level: "offline" },
      { label: vscode.l10n.t("Test Run, Not Billed"), level: "testRun" },
      { label: vscode.l10n.t("Invoke Live"), level: "live" },
    ],
    load: loadSuites,
  });
  void appearIfNeeded(payloads, suites);
  return vscode.Disposable.from(payloads, suites);
}

/** With this many files of one kind, the other kind is looked for once more. */
const maxFound = 1000;

async function appearIfNeeded(
  payloads: LazyTestController,
  suites: LazyTestController,
): Promise<void> {
  const { findFiles } = vscode.workspace;
  const both = `{${payloadFilePattern},${suiteFilePattern}}`;
  const found = await findFiles(both, unlistedFiles, maxFound);
  for (const [entry, pattern] of [
    [payloads, payloadFilePattern],
    [suites, suiteFilePattern],
  ] as const) {
    const ending = pattern.slice(pattern.indexOf("."));
    const isThere = found.some(({ path }) => path.endsWith(ending));
    const mayBeThere = !isThere && found.length === maxFound;
    const more = mayBeThere ? await findFiles(pattern, unlistedFiles, 1) : [];
    if (isThere || more.length > 0) entry.appear();
  }
}

/** An entry of the Test Explorer for files of one kind. */
interface TestEntry {
  readonly id: string;
  readonly label: string;
  /** Matches the files. */
  readonly pattern: string;
  /** The ways to run them, the cheapest and default one first. */
  readonly profiles: readonly { readonly label: string; readonly level: CaseLevel }[];
  /** Loads the contents of the entry, the same each time. */
  readonly load: (controller: vscode.TestController) => Promise<TestProvider>;
}

/**
 * An entry of the Test Explorer, from the first file for it that is created or opened. Only when its files are
 * looked at or run is the entry's `load` called, with the controller to fill.
 */
class LazyTestController implements vscode.Disposable {
  private readonly subscriptions: vscode.Disposable[];
  private controller: vscode.TestController | undefined;

  constructor(private readonly entry: TestEntry) {
    const watcher = vscode.workspace.createFileSystemWatcher(entry.pattern, false, true, true);
    this.subscriptions = [
      watcher,
      watcher.onDidCreate((uri) => isListed(uri) && this.appear()),
      onDidOpenFile(entry.pattern, () => this.appear()),
    ];
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.controller?.dispose();
  }

  /** Shows the entry, once. */
  appear(): void {
    if (this.controller !== undefined) return;
    const { id, label, load, profiles } = this.entry;
    const controller = vscode.tests.createTestController(id, label);
    this.controller = controller;
    const discover = async () => (await load(controller)).discover();
    controller.resolveHandler = async (item) => {
      if (item === undefined) await discover();
    };
    controller.refreshHandler = discover;
    for (const [index, profile] of profiles.entries()) {
      controller.createRunProfile(
        profile.label,
        vscode.TestRunProfileKind.Run,
        async (request, token) => (await load(controller)).run(request, token, profile.level),
        index === 0,
      );
    }
  }
}

/** Whether a matching file is listed, judging by its path. */
export function isListed(uri: vscode.Uri): boolean {
  return !uri.path.includes("/node_modules/");
}

/**
 * Calls `listener` with each file that matches, is listed and is opened. Needed beside watchers: on Linux
 * they miss a file that is written at the moment its folder is created.
 */
export function onDidOpenFile(
  pattern: string,
  listener: (uri: vscode.Uri) => void,
): vscode.Disposable {
  return vscode.workspace.onDidOpenTextDocument((document) => {
    const { uri } = document;
    const isInFolder = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
    if (isInFolder && isListed(uri) && vscode.languages.match({ pattern }, document) > 0) {
      listener(uri);
    }
  });
}
