import * as vscode from "vscode";

/** What files of a scheme are read from and written to. */
export type FileContents = Pick<
  vscode.FileSystemProvider,
  "onDidChangeFile" | "stat" | "readFile" | "writeFile"
>;

/** Holds the place of a file system until one of its files is first used: only then is `load` called. */
export class LazyFileSystem implements vscode.FileSystemProvider {
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  private readonly registration: vscode.Disposable;
  private loaded: Promise<FileContents> | undefined;
  private subscription: vscode.Disposable | undefined;

  readonly onDidChangeFile = this.changed.event;

  constructor(
    scheme: string,
    private readonly load: () => Promise<FileContents>,
  ) {
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

  private get(): Promise<FileContents> {
    this.loaded ??= this.load().then((provider) => {
      this.subscription = provider.onDidChangeFile((events) => this.changed.fire(events));
      return provider;
    });
    return this.loaded;
  }
}
