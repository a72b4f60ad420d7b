import * as vscode from "vscode";
import {
  bindingAfterMove,
  movedBindings,
  type PayloadBinding,
  type RememberedBinding,
  readRememberedBindings,
  rememberBinding,
  slugsOfPayloadFile,
} from "../../core/payload/payloadBinding";
import { Owner } from "../ui/owner";
import { type Memory, StoredValue } from "../ui/stored";

/** The languages of documents that may be payloads. */
export const payloadLanguages = [{ language: "json" }, { language: "jsonc" }];

/** Returns whether a document is JSON. */
export function isJsonDocument({ languageId }: vscode.TextDocument): boolean {
  return payloadLanguages.some(({ language }) => language === languageId);
}

/**
 * Returns whether a document is a text to work on: an untitled one, or a file that can be saved or is in the workspace.
 * False for an earlier version that Git shows in a diff.
 */
export function isWorkingCopy(uri: vscode.Uri): boolean {
  return (
    uri.scheme === "untitled" ||
    vscode.workspace.fs.isWritableFileSystem(uri.scheme) === true ||
    vscode.workspace.getWorkspaceFolder(uri) !== undefined
  );
}

/** An untitled document's URI, and the file with the same text that was saved last. */
interface SavedDraft {
  readonly draft: string;
  readonly file: vscode.Uri;
}

/** A file or folder that was renamed, or a new document that was saved. `from` is its previous URI. */
export interface DocumentMove {
  readonly from: string;
  readonly to: vscode.Uri;
}

/**
 * Tracks which documents are payloads for which skill: by their name, or because the user bound them. Bindings are
 * stored with the workspace. They move with a renamed file, unless its new name belongs to another skill.
 */
export class PayloadBindings extends Owner {
  private readonly stored: StoredValue<Map<string, RememberedBinding>>;
  private readonly remembered: Map<string, RememberedBinding>;
  private readonly changed = this.own(new vscode.EventEmitter<vscode.Uri>());
  private lastSaved: SavedDraft | undefined;
  /** The URI of the folder in which the user last saved a new payload; empty before. */
  private readonly saveFolder: StoredValue<string>;
  /**
   * The skill of each ambiguous file name, at the registry in use: `a.b` may mean the skill `a.b`, or the skill `a` with
   * the label `b`. The key is the longest name that the file may mean.
   */
  private readonly resolvedNames = new Map<string, string>();

  private readonly moved = this.own(new vscode.EventEmitter<DocumentMove>());

  /** Fires with a document's URI when its binding changed. */
  readonly onDidChange = this.changed.event;
  /** Fires when a file was renamed, or a new payload was saved. */
  readonly onDidMove = this.moved.event;

  constructor(memory: Memory) {
    super();
    this.stored = new StoredValue(memory, "payloadBindings", readRememberedBindings, (bindings) => [
      ...bindings,
    ]);
    this.remembered = this.stored.get();
    this.saveFolder = new StoredValue(memory, "payloadFolder", (kept) =>
      typeof kept === "string" ? kept : "",
    );
    this.own(
      vscode.workspace.onDidRenameFiles(({ files }) => this.follow(files)),
      vscode.workspace.onDidSaveTextDocument((document) => {
        this.lastSaved = this.savedDraft(document);
      }),
      vscode.workspace.onDidCloseTextDocument((document) => this.handOver(document)),
    );
  }

  /** The folder of this workspace in which the user saved a new payload last. */
  get lastFolder(): vscode.Uri | undefined {
    const kept = this.saveFolder.get();
    const uri = kept === "" ? undefined : vscode.Uri.parse(kept);
    return uri && vscode.workspace.getWorkspaceFolder(uri) && uri;
  }

  /** Returns the binding of a document; undefined if it is no payload. */
  find(uri: vscode.Uri): PayloadBinding | undefined {
    const remembered = this.remembered.get(uri.toString());
    if (remembered === "unbound") return undefined;
    if (remembered !== undefined) return remembered;
    const [slug] = slugsOfPayloadFile(uri.path);
    const resolved = slug === undefined ? undefined : this.resolvedNames.get(slug);
    if (slug === undefined || !isWorkingCopy(uri)) return undefined;
    return resolved === undefined || resolved === slug
      ? { slug }
      : { slug: resolved, unknownSlug: slug };
  }

  /** Lists the documents that the user bound. */
  bound(): readonly vscode.Uri[] {
    return [...this.remembered]
      .filter(([, binding]) => binding !== "unbound")
      .map(([name]) => vscode.Uri.parse(name, true));
  }

  /** Returns whether a document is bound only by its name. */
  isBoundByName(uri: vscode.Uri): boolean {
    return !this.remembered.has(uri.toString()) && this.find(uri) !== undefined;
  }

  /**
   * Lists the skills that a document may be a payload for, the likeliest first. The list has one skill, unless the
   * document's name is ambiguous.
   */
  slugsOf(uri: vscode.Uri): readonly string[] {
    const slug = this.find(uri)?.slug;
    if (slug === undefined) return [];
    return this.isNameResolved(uri) ? [slug] : slugsOfPayloadFile(uri.path);
  }

  /**
   * Determines the skill of a document whose file name may end in a label: the longest name for which `exists` returns
   * true. Requests nothing for a file name without a dot or for a bound document. Stores nothing if `exists` returns
   * undefined.
   */
  async resolveName(
    uri: vscode.Uri,
    exists: (slug: string) => Promise<boolean | undefined>,
  ): Promise<void> {
    const slugs = slugsOfPayloadFile(uri.path);
    const [longest] = slugs;
    if (longest === undefined || this.isNameResolved(uri)) return;
    for (const slug of slugs) {
      const hasSkill = await exists(slug);
      if (hasSkill === undefined) return;
      if (!hasSkill) continue;
      this.resolvedNames.set(longest, slug);
      this.changed.fire(uri);
      return;
    }
    this.resolvedNames.set(longest, longest);
  }

  /** Forgets which skills the file names mean, since another registry has other skills. */
  forgetResolvedNames(): void {
    this.resolvedNames.clear();
  }

  /** Binds a document, replacing an earlier binding. */
  bind(uri: vscode.Uri, binding: PayloadBinding): Promise<void> {
    return this.remember(uri, binding);
  }

  /** Removes a document's binding, even one by its name. */
  unbind(uri: vscode.Uri): Promise<void> {
    return this.remember(uri, "unbound");
  }

  /** Returns whether the skill of a document's name is already determined. */
  private isNameResolved(uri: vscode.Uri): boolean {
    const slugs = slugsOfPayloadFile(uri.path);
    const isClear = slugs.length < 2 || this.resolvedNames.has(slugs[0] ?? "");
    return isClear || this.remembered.has(uri.toString());
  }

  /** Stores a document's binding; undefined removes it. */
  private async remember(uri: vscode.Uri, binding: RememberedBinding | undefined): Promise<void> {
    rememberBinding(this.remembered, uri.toString(), binding);
    this.changed.fire(uri);
    await this.stored.set(this.remembered);
  }

  private follow(files: readonly { readonly oldUri: vscode.Uri; readonly newUri: vscode.Uri }[]) {
    for (const { oldUri, newUri } of files) {
      const named = this.isBoundByName(oldUri) ? this.find(oldUri) : undefined;
      // If the new name belongs to no skill, the file stays bound to the old name's skill.
      if (named !== undefined && slugsOfPayloadFile(newUri.path).length === 0) {
        void this.remember(newUri, { slug: named.slug });
      }
      const moved = movedBindings(this.remembered, oldUri.toString(), newUri.toString());
      for (const { from, to, binding } of moved) {
        this.remembered.delete(from);
        void this.remember(vscode.Uri.parse(to, true), binding);
      }
      this.moved.fire({ from: oldUri.toString(), to: newUri });
    }
  }

  private savedDraft(file: vscode.TextDocument): SavedDraft | undefined {
    if (!isJsonDocument(file)) return undefined;
    const text = file.getText();
    const draft = vscode.workspace.textDocuments.find(
      (open) =>
        open.isUntitled && this.remembered.has(open.uri.toString()) && open.getText() === text,
    );
    return draft && { draft: draft.uri.toString(), file: file.uri };
  }

  /**
   * Passes the user's binding of an untitled document to its saved file. The editor saves the file first, then empties
   * and closes the untitled document.
   */
  private handOver(closed: vscode.TextDocument): void {
    const name = closed.uri.toString();
    const binding = this.remembered.get(name);
    if (binding === undefined || this.lastSaved?.draft !== name) return;
    const { file } = this.lastSaved;
    void this.remember(file, bindingAfterMove(binding, name, file.toString()));
    void this.saveFolder.set(vscode.Uri.joinPath(file, "..").toString());
    this.lastSaved = undefined;
    this.moved.fire({ from: name, to: file });
  }
}
