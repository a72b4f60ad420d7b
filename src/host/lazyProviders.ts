import * as vscode from "vscode";
import type { CaseLevel } from "../core/suite/caseCost";
import { casesTag, payloadFilePattern, suiteFilePattern, testControllerId } from "./ids";
import type { SkillTests } from "./suites/skillTests";
import { Owner } from "./ui/owner";
import { type ChoiceRow, choose } from "./ui/quickInput/choose";
import { loadedOnce } from "./ui/wait";

/**
 * Registers a view until it is first visible: only then is `load` called, which must call `attach` with the
 * provider of the rows.
 */
export class LazyTreeDataProvider<Row> extends Owner implements vscode.TreeDataProvider<Row> {
  private readonly changed = this.own(new vscode.EventEmitter<Row | Row[] | undefined | null>());
  private readonly view: vscode.TreeView<Row>;
  private provider: vscode.TreeDataProvider<Row> | undefined;

  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    viewId: string,
    private readonly load: () => Promise<unknown>,
    options: { readonly canSelectMany?: boolean } = {},
  ) {
    super();
    this.view = this.own(
      vscode.window.createTreeView(viewId, { treeDataProvider: this, ...options }),
    );
  }

  /** Passes the view to the provider of its rows. */
  attach(provider: vscode.TreeDataProvider<Row>): vscode.TreeView<Row> {
    this.provider = provider;
    const changes = provider.onDidChangeTreeData?.((row) => this.changed.fire(row ?? undefined));
    if (changes !== undefined) this.own(changes);
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
}

/** The reading and writing of a scheme's files. */
export type FileContents = Pick<
  vscode.FileSystemProvider,
  "onDidChangeFile" | "stat" | "readFile" | "writeFile"
>;

/** Registers a file system until one of its files is first used: only then is `load` called. */
export class LazyFileSystem extends Owner implements vscode.FileSystemProvider {
  private readonly changed = this.own(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  private readonly get: () => Promise<FileContents>;

  readonly onDidChangeFile = this.changed.event;

  constructor(scheme: string, load: () => Promise<FileContents>) {
    super();
    this.get = loadedOnce(async () => {
      const provider = await load();
      this.own(provider.onDidChangeFile((events) => this.changed.fire(events)));
      return provider;
    });
    this.own(
      vscode.workspace.registerFileSystemProvider(scheme, this, {
        isCaseSensitive: true,
      }),
    );
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
}

/** Matches files that are never listed. */
export const unlistedFiles = "**/node_modules/**";

/** Matches the saved payloads and suites, the files of the Test Explorer's entry. */
export const testedFilePattern = `{${payloadFilePattern},${suiteFilePattern}}`;

/**
 * The Test Explorer's entry for the saved payloads and suites of the workspace, from the first file for it that is
 * found, created or opened. Only when its files are looked at or run, or a suite is open, is `load` called, with the
 * controller to fill, and the same each time.
 */
export class LazyTestController extends Owner {
  private controller: vscode.TestController | undefined;
  private profiles: readonly ChoiceRow<vscode.TestRunProfile>[] = [];

  constructor(private readonly load: (controller: vscode.TestController) => Promise<SkillTests>) {
    super();
    const { createFileSystemWatcher, findFiles } = vscode.workspace;
    const watcher = this.own(createFileSystemWatcher(testedFilePattern, false, true, true));
    this.own(
      watcher.onDidCreate((uri) => isListed(uri) && this.appear()),
      followOpenFiles(payloadFilePattern, () => this.appear()),
      followOpenFiles(suiteFilePattern, (uri) => void this.showSuite(uri)),
    );
    void findFiles(testedFilePattern, unlistedFiles, 1).then(([found]) => {
      if (found !== undefined) this.appear();
    });
  }

  /**
   * Runs the cases of a suite's file as in the Test Explorer, up to the level that is chosen among its profiles. Resolves
   * to whether it is a suite.
   */
  async runSuite(uri: vscode.Uri): Promise<boolean> {
    const provider = await this.load(this.appear());
    const suite = await provider.suiteAt(uri);
    if (suite === undefined) return false;
    const title = `${vscode.l10n.t("Run Suite")}: ${suite.label}`;
    const profile = await choose(this.profiles, { title });
    if (profile === undefined) return true;
    const request = new vscode.TestRunRequest([suite], undefined, profile);
    const source = new vscode.CancellationTokenSource();
    await profile.runHandler(request, source.token);
    source.dispose();
    // Without a result, the editor has no such view.
    await vscode.commands.executeCommand("workbench.panel.testResults.view.focus");
    return true;
  }

  /** Shows a suite that is open: beside each of its cases, the editor has a button that runs it. */
  private async showSuite(uri: vscode.Uri): Promise<void> {
    const { suites } = await this.load(this.appear());
    if (suites.itemOf(uri) === undefined) await suites.put(uri);
  }

  /** Shows the entry, once. */
  private appear(): vscode.TestController {
    if (this.controller !== undefined) return this.controller;
    const { load } = this;
    const controller = this.own(
      vscode.tests.createTestController(testControllerId, vscode.l10n.t("Skills")),
    );
    this.controller = controller;
    const discover = async () => (await load(controller)).discover();
    controller.resolveHandler = async (item) => {
      if (item === undefined) await discover();
    };
    controller.refreshHandler = discover;
    const add = (label: string, level: CaseLevel, description: string) => {
      const value = controller.createRunProfile(
        label,
        vscode.TestRunProfileKind.Run,
        async (request) => (await load(controller)).run(request, level),
        level === "offline",
        level === "offline" ? undefined : new vscode.TestTag(casesTag),
      );
      return { label, description, value };
    };
    this.profiles = [
      add(
        vscode.l10n.t("Check Offline"),
        "offline",
        vscode.l10n.t("Payloads by the input schema; sends nothing"),
      ),
      add(
        vscode.l10n.t("Test Run, Not Billed"),
        "testRun",
        vscode.l10n.t("In your project; asks before it sends"),
      ),
      add(
        vscode.l10n.t("Invoke Live"),
        "live",
        vscode.l10n.t("With your Project Key; says the cost and asks before it sends"),
      ),
    ];
    return controller;
  }
}

/** Whether a matching file is listed, judging by its path. */
export function isListed(uri: vscode.Uri): boolean {
  return !uri.path.includes("/node_modules/");
}

/**
 * Calls `listener` with each file that matches, is listed, and is open or opened. Needed beside watchers: on Linux
 * they miss a file that is written at the moment its folder is created.
 */
export function followOpenFiles(
  pattern: string,
  listener: (uri: vscode.Uri) => void,
): vscode.Disposable {
  const note = (document: vscode.TextDocument) => {
    const { uri } = document;
    const isInFolder = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
    if (isInFolder && isListed(uri) && vscode.languages.match({ pattern }, document) > 0) {
      listener(uri);
    }
  };
  for (const document of vscode.workspace.textDocuments) note(document);
  return vscode.workspace.onDidOpenTextDocument(note);
}
