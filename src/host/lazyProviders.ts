import * as vscode from "vscode";
import { type PageKind, pageIds, payloadFilePattern, suiteFilePattern } from "./ids";
import { Owner } from "./ui/owner";
import { loadedOnce } from "./ui/wait";

/**
 * Registers a view. Calls `load` only when it is first visible; `load` must call `attach` with the provider of the
 * rows.
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

/**
 * Restores pages after a reload. Registering the first serializer takes half a millisecond, so none is registered
 * before this window has a page. The editor waits with a restored page until its serializer is registered.
 */
export class LazyPages extends Owner {
  private readonly waiting: vscode.Disposable;

  constructor(private readonly load: (page: PageKind) => Promise<vscode.WebviewPanelSerializer>) {
    super();
    const { tabGroups } = vscode.window;
    const look = () => this.look();
    this.waiting = this.own(
      // The tabs of the last window may become known after the extension was activated.
      vscode.Disposable.from(
        tabGroups.onDidChangeTabGroups(look),
        tabGroups.onDidChangeTabs(({ opened }) => opened.length > 0 && look()),
      ),
    );
    look();
  }

  private look(): void {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    if (!tabs.some(({ input }) => input instanceof vscode.TabInputWebview)) return;
    this.waiting.dispose();
    for (const page of Object.keys(pageIds) as PageKind[]) {
      const deserializeWebviewPanel = async (view: vscode.WebviewPanel, stored: unknown) =>
        (await this.load(page)).deserializeWebviewPanel(view, stored);
      this.own(
        vscode.window.registerWebviewPanelSerializer(pageIds[page], { deserializeWebviewPanel }),
      );
    }
  }
}

/** Reads and writes the files of a scheme. */
export type FileContents = Pick<
  vscode.FileSystemProvider,
  "onDidChangeFile" | "stat" | "readFile" | "writeFile"
>;

/** Registers a file system. Calls `load` only when one of its files is first used. */
export class LazyFileSystem extends Owner implements vscode.FileSystemProvider {
  private readonly changed = this.own(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  private readonly get: () => Promise<FileContents>;

  readonly onDidChangeFile = this.changed.event;

  constructor(scheme: string, isReadonly: boolean, load: () => Promise<FileContents>) {
    super();
    this.get = loadedOnce(async () => {
      const provider = await load();
      this.own(provider.onDidChangeFile((events) => this.changed.fire(events)));
      return provider;
    });
    this.own(
      vscode.workspace.registerFileSystemProvider(scheme, this, {
        isCaseSensitive: true,
        isReadonly,
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

/** Matches saved payloads and suites, the files in the Test Explorer. */
export const testedFilePattern = `{${payloadFilePattern},${suiteFilePattern}}`;

/** Returns whether a matching file is listed, by its path. */
export function isListed(uri: vscode.Uri): boolean {
  return !uri.path.includes("/node_modules/");
}

/**
 * Calls `listener` with each matching, listed file that is opened. Watchers alone are not enough: on Linux they miss a
 * file that is written while its folder is created.
 */
export function followOpenedFiles(
  pattern: string,
  listener: (uri: vscode.Uri) => void,
): vscode.Disposable {
  return vscode.workspace.onDidOpenTextDocument((document) => {
    if (isListedDocument(document, pattern)) listener(document.uri);
  });
}

/** Follows opened files, starting with those that are already open. */
export function followOpenFiles(
  pattern: string,
  listener: (uri: vscode.Uri) => void,
): vscode.Disposable {
  for (const document of vscode.workspace.textDocuments) {
    if (isListedDocument(document, pattern)) listener(document.uri);
  }
  return followOpenedFiles(pattern, listener);
}

function isListedDocument(document: vscode.TextDocument, pattern: string): boolean {
  const { uri } = document;
  const isInFolder = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  return isInFolder && isListed(uri) && vscode.languages.match({ pattern }, document) > 0;
}
