import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type * as vscode from "vscode";
import { FileType } from "../vscode/enums";
import { EventEmitter, FileSystemError, Uri } from "../vscode/values";

type Glob = string | vscode.RelativePattern;

interface Watch {
  readonly pattern: Glob;
  readonly created: EventEmitter<vscode.Uri>;
  readonly changed: EventEmitter<vscode.Uri>;
  readonly deleted: EventEmitter<vscode.Uri>;
}

/** The files of the disk and of providers. Watchers are told of changes by the editor, or if a test announces them. */
export class Files {
  private readonly providers = new Map<string, vscode.FileSystemProvider>();
  private readonly readonlySchemes = new Set<string>();
  private readonly watches = new Set<Watch>();

  constructor(readonly folders: readonly vscode.WorkspaceFolder[]) {}

  provide(scheme: string, provider: vscode.FileSystemProvider, isReadonly: boolean): () => void {
    this.providers.set(scheme, provider);
    if (isReadonly) this.readonlySchemes.add(scheme);
    return () => this.providers.delete(scheme);
  }

  /** Returns whether files of a scheme can be written; undefined without a provider. */
  isWritable(scheme: string): boolean | undefined {
    return this.has(scheme) ? !this.readonlySchemes.has(scheme) : undefined;
  }

  /** Returns whether a scheme is of files on the disk or of a provider. */
  has(scheme: string): boolean {
    return scheme === "file" || this.providers.has(scheme);
  }

  async read(uri: vscode.Uri): Promise<Uint8Array> {
    const provider = this.providerOf(uri);
    return provider === undefined ? onDisk(uri, (path) => readFile(path)) : provider.readFile(uri);
  }

  async write(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const provider = this.providerOf(uri);
    if (provider !== undefined) {
      await provider.writeFile(uri, content, { create: true, overwrite: true });
      return;
    }
    const isNew = await this.stat(uri).then(
      () => false,
      () => true,
    );
    await mkdir(dirname(uri.fsPath), { recursive: true });
    await writeFile(uri.fsPath, content);
    this.announce(uri, isNew ? "created" : "changed");
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const provider = this.providerOf(uri);
    if (provider !== undefined) return provider.stat(uri);
    const found = await onDisk(uri, (path) => stat(path));
    const { ctimeMs: ctime, mtimeMs: mtime, size } = found;
    return { type: found.isDirectory() ? FileType.Directory : FileType.File, ctime, mtime, size };
  }

  async list(uri: vscode.Uri): Promise<[string, vscode.FileType][]> {
    const provider = this.providerOf(uri);
    if (provider !== undefined) return provider.readDirectory(uri);
    const entries = await onDisk(uri, (path) => readdir(path, { withFileTypes: true }));
    return entries.map((entry) => [
      entry.name,
      entry.isDirectory() ? FileType.Directory : FileType.File,
    ]);
  }

  async remove(uri: vscode.Uri): Promise<void> {
    await onDisk(uri, (path) => rm(path, { recursive: true }));
    this.announce(uri, "deleted");
  }

  async move(from: vscode.Uri, to: vscode.Uri): Promise<void> {
    await rename(from.fsPath, to.fsPath);
    this.announce(from, "deleted");
    this.announce(to, "created");
  }

  /** Tells the watchers about a change of a file. */
  announce(uri: vscode.Uri, what: "created" | "changed" | "deleted"): void {
    for (const watch of this.watches) {
      if (this.isMatch(watch.pattern, uri)) watch[what].fire(uri);
    }
  }

  watch(pattern: Glob, ignoresCreated = false, ignoresChanged = false, ignoresDeleted = false) {
    const created = new EventEmitter<vscode.Uri>();
    const changed = new EventEmitter<vscode.Uri>();
    const deleted = new EventEmitter<vscode.Uri>();
    const watch = { pattern, created, changed, deleted };
    this.watches.add(watch);
    return {
      ignoreCreateEvents: ignoresCreated,
      ignoreChangeEvents: ignoresChanged,
      ignoreDeleteEvents: ignoresDeleted,
      onDidCreate: ignoresCreated ? never : created.event,
      onDidChange: ignoresChanged ? never : changed.event,
      onDidDelete: ignoresDeleted ? never : deleted.event,
      dispose: () => this.watches.delete(watch),
    } satisfies vscode.FileSystemWatcher;
  }

  /** Finds files of the workspace. */
  async find(include: Glob, exclude?: Glob | null, most = Number.POSITIVE_INFINITY) {
    const found: vscode.Uri[] = [];
    const look = async (folder: vscode.Uri): Promise<void> => {
      const entries = await this.list(folder).catch(() => []);
      for (const [name, type] of entries.sort(([one], [other]) => (one < other ? -1 : 1))) {
        const uri = Uri.joinPath(folder, name);
        if (found.length >= most) return;
        if (type === FileType.Directory) await look(uri);
        else if (this.isMatch(include, uri) && !(exclude && this.isMatch(exclude, uri))) {
          found.push(uri);
        }
      }
    };
    for (const { uri } of this.folders) await look(uri);
    return found;
  }

  folderOf(uri: vscode.Uri): vscode.WorkspaceFolder | undefined {
    return this.folders.find(
      ({ uri: { scheme, path } }) =>
        uri.scheme === scheme && (uri.path === path || uri.path.startsWith(asFolder(path))),
    );
  }

  /** Returns whether a path in the workspace, or below the base of the pattern, matches. */
  isMatch(pattern: Glob, uri: vscode.Uri): boolean {
    if (typeof pattern !== "string") {
      const base = pattern.baseUri.path.replace(/\/$/, "");
      return (
        uri.path.startsWith(`${base}/`) &&
        globRegExp(pattern.pattern).test(uri.path.slice(base.length + 1))
      );
    }
    const folder = this.folderOf(uri);
    const path =
      folder === undefined ? uri.path.slice(1) : uri.path.slice(asFolder(folder.uri.path).length);
    return globRegExp(pattern).test(path);
  }

  private providerOf({ scheme }: vscode.Uri): vscode.FileSystemProvider | undefined {
    const provider = this.providers.get(scheme);
    if (provider === undefined && scheme !== "file" && scheme !== "untitled") {
      throw FileSystemError.Unavailable(`no provider of ${scheme}`);
    }
    return provider;
  }
}

/** Returns the path of a folder with a slash at its end. */
const asFolder = (path: string) => (path.endsWith("/") ? path : `${path}/`);

const never: vscode.Event<vscode.Uri> = () => ({ dispose: () => undefined });

async function onDisk<T>(uri: vscode.Uri, work: (path: string) => Promise<T>): Promise<T> {
  try {
    return await work(uri.fsPath);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw FileSystemError.FileNotFound(uri);
    if (code === "EISDIR") throw FileSystemError.FileIsADirectory(uri);
    if (code === "EACCES" || code === "EPERM") throw FileSystemError.NoPermissions(uri);
    throw error;
  }
}

function globRegExp(glob: string): RegExp {
  const source = glob.replaceAll(/\*\*\/|\*\*|\*|\?|\{[^}]*\}|[.+^$()|[\]\\]/g, (part) => {
    if (part === "**/") return "(?:.*/)?";
    if (part === "**") return ".*";
    if (part === "*") return "[^/]*";
    if (part === "?") return "[^/]";
    if (part.startsWith("{")) {
      return `(?:${part
        .slice(1, -1)
        .split(",")
        .map((one) => globRegExp(one).source.slice(1, -1))
        .join("|")})`;
    }
    return `\\${part}`;
  });
  return new RegExp(`^${source}$`);
}

/** Creates a workspace folder. */
export function workspaceFolder(where: string | vscode.Uri, index: number): vscode.WorkspaceFolder {
  const uri = typeof where === "string" ? Uri.file(where) : where;
  return { uri, name: uri.path.split("/").at(-1) ?? "", index };
}
