import * as vscode from "vscode";
import { isPayloadFile, slugsOfPayloadFile } from "../core/payload/payloadBinding";
import type { FoundSkillFile } from "../core/skillList/skillFileRows";
import type { PayloadBindings } from "./author/payloadBindings";
import { payloadFilePattern, suiteFilePattern } from "./ids";
import { isListed, onDidOpenFile, testedFilePattern, unlistedFiles } from "./lazyProviders";
import { readSuiteFile } from "./suites/suiteFiles";
import { Owner } from "./ui/owner";

/** Upper limits: a file has a row, and a suite is read for the skill that it names. */
const maxPayloads = 5000;
const maxSuites = 1000;

/**
 * Knows the saved payloads and the suites of the workspace, and follows them. Nothing is searched before it is asked
 * for, and no suite is read for a row in Restricted Mode.
 */
export class SkillFiles extends Owner {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  /** By address. */
  private readonly payloadFiles = new Map<string, vscode.Uri>();
  /** By address, each with the skill that it names; none where it is not valid. */
  private readonly suiteFiles = new Map<string, { uri: vscode.Uri; slug?: string }>();
  private isFollowing = false;

  /** Fires when a file came, went, or is of another skill. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly bindings: PayloadBindings) {
    super();
    const watcher = this.own(vscode.workspace.createFileSystemWatcher(testedFilePattern));
    this.own(
      watcher.onDidCreate((uri) => void this.put(uri)),
      watcher.onDidChange((uri) => void this.follow(uri)),
      watcher.onDidDelete((uri) => this.remove(uri)),
      onDidOpenFile(testedFilePattern, (uri) => {
        if (!this.has(uri)) void this.put(uri);
      }),
      bindings.onDidChange((uri) => this.has(uri) && this.changed.fire()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.reread()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.changed.fire()),
    );
  }

  /** The files found so far, for rows, which do not wait: the first call starts the search. None in Restricted Mode. */
  get known(): readonly FoundSkillFile[] {
    if (!vscode.workspace.isTrusted) return [];
    if (!this.isFollowing) {
      this.isFollowing = true;
      this.reread();
    }
    const fileOf = (use: FoundSkillFile["use"], uri: vscode.Uri, slugs: readonly string[]) => ({
      use,
      address: `${uri}`,
      path: vscode.workspace.asRelativePath(uri),
      slugs,
    });
    return [
      ...[...this.payloadFiles.values()].map((uri) => fileOf("payload", uri, this.slugsOf(uri))),
      ...[...this.suiteFiles.values()].map(({ uri, slug }) =>
        fileOf("suite", uri, slug === undefined ? [] : [slug]),
      ),
    ];
  }

  /** Finds the saved payloads anew: events of files come late. */
  async payloads(): Promise<readonly vscode.Uri[]> {
    const before = [...this.payloadFiles.keys()];
    const found = await find(payloadFilePattern, maxPayloads);
    const isNew = keepOnly(this.payloadFiles, before, found);
    for (const uri of found) this.payloadFiles.set(`${uri}`, uri);
    if (isNew) this.changed.fire();
    return found;
  }

  /** Finds the suites anew, valid or not. */
  async suites(): Promise<readonly vscode.Uri[]> {
    const before = [...this.suiteFiles.keys()];
    const found = await find(suiteFilePattern, maxSuites);
    if (keepOnly(this.suiteFiles, before, found) && this.isFollowing) this.changed.fire();
    return found;
  }

  /** Finds all files anew, where rows show them. */
  reread(): void {
    if (!this.isFollowing) return;
    void this.payloads();
    void this.suites().then(async (found) => {
      for (const uri of found) await this.put(uri);
    });
  }

  private has(uri: vscode.Uri): boolean {
    return this.payloadFiles.has(`${uri}`) || this.suiteFiles.has(`${uri}`);
  }

  private async put(uri: vscode.Uri): Promise<void> {
    if (!this.isFollowing || !isListed(uri)) return;
    const address = `${uri}`;
    if (isPayloadFile(uri.path)) {
      if (this.payloadFiles.size < maxPayloads) this.payloadFiles.set(address, uri);
      this.changed.fire();
      return;
    }
    const slug = (await readSuiteFile(uri))?.suite.address.slug;
    const known = this.suiteFiles.get(address);
    if (known === undefined && this.suiteFiles.size >= maxSuites) return;
    this.suiteFiles.set(address, slug === undefined ? { uri } : { uri, slug });
    if (known?.slug !== slug) this.changed.fire();
  }

  /** A payload is of the same skill whatever it contains. */
  private async follow(uri: vscode.Uri): Promise<void> {
    if (!isPayloadFile(uri.path)) await this.put(uri);
  }

  private remove(uri: vscode.Uri): void {
    const address = `${uri}`;
    const isGone = this.payloadFiles.delete(address) || this.suiteFiles.delete(address);
    if (isGone) this.changed.fire();
  }

  /** What follows a dot in a name may be a label: which skills there are decides. */
  private slugsOf(uri: vscode.Uri): readonly string[] {
    const slug = this.bindings.find(uri)?.slug;
    if (slug === undefined) return [];
    return this.bindings.isSettled(uri) ? [slug] : slugsOfPayloadFile(uri.path);
  }
}

async function find(pattern: string, most: number): Promise<readonly vscode.Uri[]> {
  return vscode.workspace.findFiles(pattern, unlistedFiles, most);
}

/** Removes what was known before a search and is not found any more. Returns whether the search changed anything. */
function keepOnly(
  known: Map<string, unknown>,
  before: readonly string[],
  found: readonly vscode.Uri[],
): boolean {
  const names = new Set(found.map((uri) => `${uri}`));
  const gone = before.filter((name) => !names.has(name));
  for (const name of gone) known.delete(name);
  return gone.length > 0 || [...names].some((name) => !known.has(name));
}
