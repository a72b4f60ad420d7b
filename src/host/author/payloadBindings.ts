import * as vscode from "vscode";
import {
  maxRememberedBindings,
  movedBindings,
  type PayloadBinding,
  type RememberedBinding,
  readRememberedBindings,
  slugsOfPayloadFile,
} from "../../core/payload/payloadBinding";

const memoryName = "payloadBindings";

/** An untitled document, by its address, and the file with the same text that was saved last. */
interface SavedDraft {
  readonly draft: string;
  readonly file: vscode.Uri;
}

/**
 * Knows which documents are inputs for which skill: by their name, or because the user said so.
 * What the user said is kept with the workspace and moves with a renamed file.
 */
export class PayloadBindings {
  private readonly remembered: Map<string, RememberedBinding>;
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly subscriptions: vscode.Disposable[];
  private lastSaved: SavedDraft | undefined;
  /** What a file's name spells → the skill that it means in the registry in use. */
  private readonly labeled = new Map<string, string>();

  /** Fires with a document's address when its binding changed. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly memory: vscode.Memento) {
    this.remembered = readRememberedBindings(memory.get(memoryName));
    this.subscriptions = [
      vscode.workspace.onDidRenameFiles(({ files }) => this.follow(files)),
      vscode.workspace.onDidSaveTextDocument((document) => {
        this.lastSaved = this.savedDraft(document);
      }),
      vscode.workspace.onDidCloseTextDocument((document) => this.handOver(document)),
    ];
  }

  /** Answers what a document is bound to; undefined where it is no payload. */
  find(uri: vscode.Uri): PayloadBinding | undefined {
    const remembered = this.remembered.get(uri.toString());
    if (remembered === "unbound") return undefined;
    if (remembered !== undefined) return remembered;
    const [slug] = slugsOfPayloadFile(uri.path);
    const meant = slug === undefined ? undefined : this.labeled.get(slug);
    if (slug === undefined) return undefined;
    return meant === undefined || meant === slug ? { slug } : { slug: meant, unknownSlug: slug };
  }

  /** Tells whether a document is bound by nothing but its name. */
  isBoundByName(uri: vscode.Uri): boolean {
    return !this.remembered.has(uri.toString()) && this.find(uri) !== undefined;
  }

  /**
   * Settles which skill a document's name means where its end may be a label: the longest one that
   * `exists` knows. Asks nothing for a name without a dot or a document that was bound, and settles
   * nothing where `exists` cannot tell (undefined).
   */
  async settle(
    uri: vscode.Uri,
    exists: (slug: string) => Promise<boolean | undefined>,
  ): Promise<void> {
    if (this.remembered.has(uri.toString())) return;
    const slugs = slugsOfPayloadFile(uri.path);
    const [spelled] = slugs;
    if (spelled === undefined || slugs.length === 1 || this.labeled.has(spelled)) return;
    for (const slug of slugs) {
      const isKnown = await exists(slug);
      if (isKnown === undefined) return;
      if (!isKnown) continue;
      this.labeled.set(spelled, slug);
      if (slug !== spelled) this.changed.fire(uri);
      return;
    }
    this.labeled.set(spelled, spelled);
  }

  /** Forgets what names were found to mean: another registry has other skills. */
  forgetLabels(): void {
    this.labeled.clear();
  }

  /** Binds a document, also in place of an earlier binding. */
  bind(uri: vscode.Uri, binding: PayloadBinding): Promise<void> {
    return this.remember(uri, binding);
  }

  /** Takes a document's binding away, also one that its name gives it. */
  unbind(uri: vscode.Uri): Promise<void> {
    return this.remember(uri, "unbound");
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.changed.dispose();
  }

  private async remember(uri: vscode.Uri, binding: RememberedBinding): Promise<void> {
    const name = uri.toString();
    this.remembered.delete(name);
    this.remembered.set(name, binding);
    for (const oldest of this.remembered.keys()) {
      if (this.remembered.size <= maxRememberedBindings) break;
      this.remembered.delete(oldest);
    }
    this.changed.fire(uri);
    await this.memory.update(memoryName, [...this.remembered]);
  }

  private follow(files: readonly { readonly oldUri: vscode.Uri; readonly newUri: vscode.Uri }[]) {
    for (const { oldUri, newUri } of files) {
      const moved = movedBindings(this.remembered, oldUri.toString(), newUri.toString());
      for (const { from, to, binding } of moved) {
        this.remembered.delete(from);
        void this.remember(vscode.Uri.parse(to, true), binding);
      }
    }
  }

  private savedDraft(file: vscode.TextDocument): SavedDraft | undefined {
    if (!isJson(file.languageId)) return undefined;
    const text = file.getText();
    const draft = vscode.workspace.textDocuments.find(
      (open) =>
        open.isUntitled && this.remembered.has(open.uri.toString()) && open.getText() === text,
    );
    return draft && { draft: draft.uri.toString(), file: file.uri };
  }

  /**
   * An untitled document that is saved becomes another one: the file is saved first, then the
   * untitled one is emptied and closes. The file takes over what the user said of the untitled one.
   */
  private handOver(closed: vscode.TextDocument): void {
    const name = closed.uri.toString();
    const binding = this.remembered.get(name);
    if (binding === undefined || this.lastSaved?.draft !== name) return;
    void this.remember(this.lastSaved.file, binding);
    this.lastSaved = undefined;
  }
}

function isJson(languageId: string): boolean {
  return languageId === "json" || languageId === "jsonc";
}
