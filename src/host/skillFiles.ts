import * as vscode from "vscode";
import { clientFileName, clientLanguages, readClientHeader } from "../core/clients/client";
import { maxFilesRead } from "../core/findings/report";
import { isPayloadFile, slugsOfPayloadFile } from "../core/payload/payloadBinding";
import type { FoundSkillFile } from "../core/skillList/rows/skillFileRows";
import { maxTextBytes } from "../engine/files/repositoryFile";
import type { PayloadBindings } from "./author/payloadBindings";
import { payloadFilePattern, suiteFilePattern } from "./ids";
import { followOpenedFiles, isListed, testedFilePattern, unlistedFiles } from "./lazyProviders";
import { maxSuitesRead, readSuiteFile } from "./suites/suiteFiles";
import { Owner } from "./ui/owner";
import { fileName } from "./ui/saveText";
import { readWorkspaceFile } from "./workspaceFile";

/** The maximum number of payloads with rows, in a view or as tests, since the editor keeps an object for each. */
export const maxPayloadRows = 5000;

/**
 * The maximum number of files in one search: one more than any reader uses, so that each reader can tell whether more
 * exist.
 */
const mostFiles = maxFilesRead + 1;

/** The maximum number of client names in one search: those of 500 skills. */
const maxClientNames = 1000;

/**
 * A change of a file of the workspace, reported by a watcher of its folder, or by an editor if the watcher missed it.
 */
export interface SkillFileChange {
  readonly use: "payload" | "suite";
  readonly kind: "created" | "changed" | "deleted" | "opened";
  readonly uri: vscode.Uri;
}

/**
 * Tracks the saved payloads, the suites and the typed clients of the workspace. Searches nothing before it is needed,
 * and reads no suite or client for a row in Restricted Mode.
 */
export class SkillFiles extends Owner {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  private readonly fileChanged = this.own(new vscode.EventEmitter<SkillFileChange>());
  /** By URI. */
  private readonly payloadFiles = new Map<string, { readonly uri: vscode.Uri }>();
  /** By URI, each with its skill, if it was read and is valid. */
  private readonly suiteFiles = new Map<string, { readonly uri: vscode.Uri; slug?: string }>();
  private hasRows = false;
  /** The file names to search for typed clients. */
  private readonly clientNames = new Set<string>();
  /** The found clients by address, each with its skill. */
  private readonly clients = new Map<string, { readonly uri: vscode.Uri; readonly slug: string }>();
  private clientWatcher: vscode.FileSystemWatcher | undefined;

  /** Fires when a file is added or removed, or belongs to another skill. */
  readonly onDidChange = this.changed.event;
  /** Fires with each file that was added, removed, written or opened. */
  readonly onDidChangeFile = this.fileChanged.event;

  constructor(private readonly bindings: PayloadBindings) {
    super();
    const watcher = this.own(vscode.workspace.createFileSystemWatcher(testedFilePattern));
    const note = (kind: SkillFileChange["kind"]) => (uri: vscode.Uri) => {
      const use = isPayloadFile(uri.path) ? "payload" : "suite";
      if (isListed(uri)) this.note({ use, kind, uri });
    };
    this.own(
      watcher.onDidCreate(note("created")),
      watcher.onDidChange(note("changed")),
      watcher.onDidDelete(note("deleted")),
      followOpenedFiles(testedFilePattern, note("opened")),
      bindings.onDidChange((uri) => this.has(uri) && this.changed.fire()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.reread()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.changed.fire()),
    );
  }

  /** The files found so far, for rows, which cannot wait. The first call starts the search. None in Restricted Mode. */
  get known(): readonly FoundSkillFile[] {
    if (!vscode.workspace.isTrusted) return [];
    if (!this.hasRows) {
      this.hasRows = true;
      this.reread();
    }
    const fileOf = (use: FoundSkillFile["use"], uri: vscode.Uri, slugs: readonly string[]) => ({
      use,
      address: `${uri}`,
      path: vscode.workspace.asRelativePath(uri),
      slugs,
    });
    const payloads = [...this.payloadFiles.values()].slice(0, maxPayloadRows);
    return [
      ...payloads.map(({ uri }) => fileOf("payload", uri, this.bindings.slugsOf(uri))),
      ...[...this.suiteFiles.values()].flatMap(({ uri, slug }) =>
        slug === undefined ? [] : [fileOf("suite", uri, [slug])],
      ),
      ...[...this.clients.values()].map(({ uri, slug }) => fileOf("client", uri, [slug])),
    ];
  }

  /**
   * Searches for typed clients of these skills too, and follows them. Searches by the names that `skill-registry types`
   * gives them, since a workspace has too many source files to read.
   */
  followClients(slugs: readonly string[]): void {
    if (!vscode.workspace.isTrusted) return;
    const names = slugs.flatMap((slug) =>
      clientLanguages.map((language) => clientFileName(slug, language)),
    );
    const fresh = names
      .filter((name) => !this.clientNames.has(name))
      .slice(0, maxClientNames - this.clientNames.size);
    for (const name of fresh) this.clientNames.add(name);
    if (fresh.length > 0) void this.findClients(fresh);
    this.clientWatcher ??= this.watchClients();
  }

  /** Searches the saved payloads again, since file events come late. */
  payloads(): Promise<readonly vscode.Uri[]> {
    return this.find(this.payloadFiles, payloadFilePattern);
  }

  /**
   * Finds the payloads of a skill that are open or saved. `exists` decides to which skill a name with a dot belongs.
   */
  async payloadsOf(
    slug: string,
    exists: (slug: string) => Promise<boolean | undefined>,
  ): Promise<readonly vscode.Uri[]> {
    const open = vscode.workspace.textDocuments.map(({ uri }) => uri);
    const saved = await this.payloads();
    const named = saved.filter(({ path }) => slugsOfPayloadFile(path).includes(slug));
    for (const uri of named) await this.bindings.resolveName(uri, exists);
    const all = new Map([...open, ...saved].map((uri) => [`${uri}`, uri]));
    return [...all.values()].filter((uri) => this.bindings.find(uri)?.slug === slug);
  }

  /** Searches the suites again, valid or not. */
  suites(): Promise<readonly vscode.Uri[]> {
    return this.find(this.suiteFiles, suiteFilePattern);
  }

  /** Searches all files again if rows show them. */
  reread(): void {
    if (!this.hasRows) return;
    void this.payloads();
    void this.suites().then(async (found) => {
      for (const uri of found.slice(0, maxSuitesRead)) await this.readSuite(uri);
    });
  }

  private watchClients(): vscode.FileSystemWatcher {
    const watcher = this.own(vscode.workspace.createFileSystemWatcher("**/*.{ts,py}"));
    const read = (uri: vscode.Uri) => {
      if (this.clientNames.has(fileName(uri)) && isListed(uri)) void this.readClient(uri);
    };
    this.own(
      watcher.onDidCreate(read),
      watcher.onDidChange(read),
      watcher.onDidDelete((uri) => this.clients.delete(`${uri}`) && this.changed.fire()),
    );
    return watcher;
  }

  private async findClients(names: readonly string[]): Promise<void> {
    const pattern = `**/{${names.join()}}`;
    const found = await vscode.workspace.findFiles(pattern, unlistedFiles, mostFiles);
    for (const uri of found) await this.readClient(uri);
  }

  private async readClient(uri: vscode.Uri): Promise<void> {
    const read = await readWorkspaceFile(uri, maxTextBytes);
    const slug = read.kind === "text" ? readClientHeader(read.text)?.slug : undefined;
    if (this.clients.get(`${uri}`)?.slug === slug) return;
    if (slug === undefined) this.clients.delete(`${uri}`);
    else this.clients.set(`${uri}`, { uri, slug });
    this.changed.fire();
  }

  private has(uri: vscode.Uri): boolean {
    return this.payloadFiles.has(`${uri}`) || this.suiteFiles.has(`${uri}`);
  }

  /** Searches files. Keeps files that are added during the search, which may have missed them. */
  private async find(
    files: Map<string, { readonly uri: vscode.Uri }>,
    pattern: string,
  ): Promise<readonly vscode.Uri[]> {
    const before = [...files.keys()];
    const found = await vscode.workspace.findFiles(pattern, unlistedFiles, mostFiles);
    const uris = new Map(found.map((uri) => [`${uri}`, uri]));
    const deleted = before.filter((address) => !uris.has(address));
    const fresh = [...uris].filter(([address]) => !files.has(address));
    for (const address of deleted) files.delete(address);
    for (const [address, uri] of fresh) files.set(address, { uri });
    if (deleted.length > 0 || fresh.length > 0) this.changed.fire();
    return [...files.values()].map(({ uri }) => uri);
  }

  private note(change: SkillFileChange): void {
    const { use, kind, uri } = change;
    const files = use === "payload" ? this.payloadFiles : this.suiteFiles;
    const isKnown = this.has(uri);
    if (kind === "deleted") files.delete(`${uri}`);
    else if (!isKnown && files.size < mostFiles) files.set(`${uri}`, { uri });
    if (isKnown !== this.has(uri)) this.changed.fire();
    if (use === "suite" && kind !== "deleted" && this.hasRows) void this.readSuite(uri);
    this.fileChanged.fire(change);
  }

  private async readSuite(uri: vscode.Uri): Promise<void> {
    const read = (await readSuiteFile(uri))?.read;
    const slug = read?.ok ? read.value.address.slug : undefined;
    const known = this.suiteFiles.get(`${uri}`);
    if (known === undefined || known.slug === slug) return;
    this.suiteFiles.set(`${uri}`, slug === undefined ? { uri } : { uri, slug });
    this.changed.fire();
  }
}
