import * as vscode from "vscode";
import {
  type Environment,
  type Environments,
  readEnvironments,
} from "../../core/environment/environmentsFile";
import { environmentsPath } from "../../core/environment/environmentsPath";
import {
  brokenEnvironment,
  brokenLine,
  environmentOf,
  noEnvironment,
  type PayloadEnvironment,
} from "../../core/environment/payloadEnvironment";
import {
  type CopiedPayload,
  copiedPayload,
  type PayloadResolution,
  resolvePayload,
} from "../../core/environment/resolvedPayload";
import { builtInRegistryName } from "../../core/registry/registryName";
import { hostLanguage } from "../ui/hostLanguage";
import { Owner } from "../ui/owner";
import { readWorkspaceFile } from "../workspaceFile";
import type { EnvironmentSecrets } from "./environmentSecrets";
import { environmentRegistry, type WindowPlace } from "./windowPlace";

/** The maximum size of the file, in bytes. A file with the maximum number of characters is never larger. */
const maxBytes = 4_000_000;

/** An environment that a folder of the workspace declares. */
export interface ListedEnvironment extends Environment {
  readonly folder: vscode.WorkspaceFolder;
}

/** An unreadable file, with the first problematic line if it is a text. */
interface BrokenFile {
  readonly broken: ReturnType<typeof brokenLine>;
}

/**
 * Reads the environments of the workspace's folders each time, since file events arrive late. In Restricted Mode no
 * file is read.
 */
export class WorkspaceEnvironments extends Owner {
  private readonly changed = this.own(new vscode.EventEmitter<void>());

  /** Fires when placeholders may have other values. */
  readonly onDidChange = this.changed.event;

  constructor(
    readonly place: WindowPlace,
    readonly secrets: EnvironmentSecrets,
  ) {
    super();
    const watcher = this.own(vscode.workspace.createFileSystemWatcher(`**/${environmentsPath}`));
    const fire = () => this.changed.fire();
    this.own(
      watcher.onDidCreate(fire),
      watcher.onDidChange(fire),
      watcher.onDidDelete(fire),
      vscode.workspace.onDidChangeWorkspaceFolders(fire),
      vscode.workspace.onDidGrantWorkspaceTrust(fire),
      secrets.onDidChange(fire),
      // After a change of registry, the connection's own event makes everything start over.
      place.onDidChange(({ isOther }) => !isOther && fire()),
    );
  }

  /** Returns the environment of a document. Never rejects. */
  async of(uri: vscode.Uri): Promise<PayloadEnvironment> {
    const folder = folderOf(uri);
    if (folder === undefined) return noEnvironment;
    const read = await this.read(folder);
    if (read === "none") return noEnvironment;
    if ("broken" in read) return brokenEnvironment(read.broken);
    const { environment: name } = this.place;
    const registry = environmentRegistry(this.place);
    const values = await this.valuesOf(folder, name, read);
    return environmentOf(read, { name, registry }, (secret) => values.get(secret), false);
  }

  /** Replaces the placeholders of a payload in a document, or returns why not. Never rejects. */
  async resolve(uri: vscode.Uri, text: string): Promise<PayloadResolution> {
    return resolvePayload(text, await this.of(uri), hostLanguage());
  }

  /** Returns a document's payload for copying, without secrets. Never rejects. */
  async copied(uri: vscode.Uri, text: string): Promise<CopiedPayload> {
    const environment = await this.of(uri);
    const declared = environment.kind === "none" ? new Set<string>() : environment.declared;
    return copiedPayload(text, resolvePayload(text, environment, hostLanguage()), declared);
  }

  /** Returns the environment in use for a document's folder; undefined if its registry is not in use. */
  async inUse(uri: vscode.Uri): Promise<ListedEnvironment | undefined> {
    const folder = folderOf(uri);
    const read = folder === undefined ? "none" : await this.read(folder);
    if (folder === undefined || read === "none" || "broken" in read) return undefined;
    const found = read.byName.get(this.place.environment ?? "");
    const isInUse = found?.registry === environmentRegistry(this.place);
    return found !== undefined && isInUse ? { ...found, folder } : undefined;
  }

  /** Returns the folder whose environments apply to a document; undefined in Restricted Mode. */
  folderFor(uri: vscode.Uri): vscode.WorkspaceFolder | undefined {
    return vscode.workspace.isTrusted ? folderOf(uri) : undefined;
  }

  /** Lists the environments of the folders, in order. Never rejects. */
  async list(): Promise<readonly ListedEnvironment[]> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const all = await Promise.all(
      folders.map(async (folder) => {
        const read = await this.read(folder);
        if (read === "none" || "broken" in read) return [];
        return [...read.byName.values()].map((item) => ({ ...item, folder }));
      }),
    );
    return all.flat();
  }

  private async valuesOf(
    folder: vscode.WorkspaceFolder,
    name: string | undefined,
    { byName }: Environments,
  ): Promise<ReadonlyMap<string, string>> {
    const found = name === undefined ? undefined : byName.get(name);
    return found === undefined ? new Map() : this.secrets.valuesOf({ ...found, folder });
  }

  private async read(folder: vscode.WorkspaceFolder): Promise<Environments | BrokenFile | "none"> {
    if (!vscode.workspace.isTrusted) return "none";
    const uri = vscode.Uri.joinPath(folder.uri, environmentsPath);
    const text = await readWorkspaceFile(uri, maxBytes, folder.uri);
    if (text.kind === "none") return "none";
    if (text.kind !== "text") return { broken: undefined };
    const read = readEnvironments(text.text, hostLanguage());
    return read.ok ? read.value : { broken: brokenLine(text.text, read.problems) };
  }
}

/** Returns the folder whose environments apply to a document. A new payload belongs to the single folder. */
function folderOf(uri: vscode.Uri): vscode.WorkspaceFolder | undefined {
  const { workspaceFolders = [] } = vscode.workspace;
  if (uri.scheme === "untitled") {
    return workspaceFolders.length === 1 ? workspaceFolders[0] : undefined;
  }
  return vscode.workspace.getWorkspaceFolder(uri);
}

/** Returns the address of an environment's registry; empty for the built-in one. */
export function addressOfEnvironment({ registry }: Pick<Environment, "registry">): string {
  return registry === builtInRegistryName ? "" : registry;
}
