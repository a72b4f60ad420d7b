import * as vscode from "vscode";
import type { JsonValue } from "../../core/json/jsonValue";
import { localMinute } from "../../core/text/dates";
import { markedText } from "../../core/text/markedText";
import { StoreProblem } from "../../engine/store/storeProblem";
import type { DocumentScheme } from "../ids";
import type { FileContents } from "../lazyProviders";
import { isThere } from "../workspaceFile";
import { warn } from "./messages";
import { Owner } from "./owner";
import { storeProblemText } from "./showNotice";

/**
 * The read-only documents of a scheme. Their text is read when the editor requests it. They are files of a read-only
 * file system rather than a `TextDocumentContentProvider`: the editor shows the latter in the same widget as untitled
 * documents, which then have no quick fixes until their editor group is closed (seen in VS Code 1.139).
 */
export abstract class Documents extends Owner implements FileContents {
  private readonly changed = this.own(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  /** The editor rereads a changed file only if its modification time changed. */
  private mtime = 0;
  /** The paths of the folders of documents that were read. */
  private readonly folders = new Set(["/"]);

  readonly onDidChangeFile = this.changed.event;

  constructor(private readonly scheme: DocumentScheme) {
    super();
  }

  /**
   * Returns the facts about a document or its folder. The size of a document is unknown before it is read. The editor's
   * *Save As* offers the name of a document only if its folder is one.
   */
  stat({ path }: vscode.Uri): vscode.FileStat {
    const { Readonly: permissions } = vscode.FilePermission;
    const { Directory, File } = vscode.FileType;
    const type = this.folders.has(path) ? Directory : File;
    return { type, ctime: 0, mtime: this.mtime, size: 0, permissions };
  }

  /** Reads a document as the bytes of a file. */
  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    this.folders.add(uri.path.slice(0, Math.max(1, uri.path.lastIndexOf("/"))));
    try {
      const files = vscode.workspace.getConfiguration("files", uri);
      const text = markedText(await this.textOf(uri), {
        encoding: files.get("encoding", "utf8"),
        isGuessed: files.get("autoGuessEncoding", false),
        isJson: /\.jsonl?$/.test(uri.path),
      });
      return new TextEncoder().encode(text);
    } catch (error) {
      // The editor shows this with a button to try again.
      if (error instanceof StoreProblem)
        throw vscode.FileSystemError.Unavailable(storeProblemText(error));
      throw error;
    }
  }

  /** Rejects: the documents are read-only. */
  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  /** Makes the editor reread the document of a URI if it is open. */
  protected reread(uri: vscode.Uri): void {
    this.mtime += 1;
    this.changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  protected abstract textOf(uri: vscode.Uri): string | Promise<string>;

  /** Returns the URI of a document. The editor shows the path as its name; the query identifies its content. */
  protected uriOf(path: string, query: Readonly<Record<string, string>> = {}): vscode.Uri {
    const text = new URLSearchParams(query).toString();
    return vscode.Uri.from({ scheme: this.scheme, path, query: text });
  }

  /** Opens a document in an editor with its current text, since it may already be open with an older one. */
  protected async openAt(uri: vscode.Uri, column?: vscode.ViewColumn): Promise<void> {
    this.reread(uri);
    await vscode.window.showTextDocument(uri, column === undefined ? {} : { viewColumn: column });
  }
}

/** The read-only documents of a scheme whose contents are stored until the window closes. */
export abstract class KeptDocuments<Content extends { readonly text: string }> extends Documents {
  /** By path. */
  protected readonly contents = new Map<string, Content>();

  /** `expired` explains how to recreate a document of an earlier window. */
  constructor(
    scheme: DocumentScheme,
    private readonly expired: string,
  ) {
    super(scheme);
  }

  /** Stores the content of a document. Replaces the previous one. */
  protected keep(path: string, content: Content): vscode.Uri {
    this.contents.set(path, content);
    const uri = this.uriOf(path);
    this.reread(uri);
    return uri;
  }

  protected textOf({ path }: vscode.Uri): string {
    const expired = path.endsWith(".json") ? unavailableText(this.expired) : `${this.expired}\n`;
    return this.contents.get(path)?.text ?? expired;
  }
}

/** Writes why a JSON document has no content, as JSON. */
export function unavailableText(unavailable: string): string {
  return `${JSON.stringify({ unavailable }, undefined, 2)}\n`;
}

/** Opens the document of a file. Undefined if the file is gone or is no text, which is shown. */
export async function openFile(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    const name = vscode.workspace.asRelativePath(uri);
    const isGone = !(await isThere(uri));
    void warn(
      isGone
        ? vscode.l10n.t("{0} no longer exists.", name)
        : vscode.l10n.t("{0} cannot be opened as text.", name),
    );
    return undefined;
  }
}

/** Shows a file in an editor, or why it cannot be opened. */
export async function showFile(
  uri: vscode.Uri,
  options?: vscode.TextDocumentShowOptions,
): Promise<void> {
  const document = await openFile(uri);
  if (document !== undefined) await vscode.window.showTextDocument(document, options);
}

/** Opens a value as a new JSON text without a skill. */
export async function openJson(value: JsonValue): Promise<vscode.TextEditor> {
  const content = JSON.stringify(value, undefined, 2);
  const document = await vscode.workspace.openTextDocument({ language: "json", content });
  return vscode.window.showTextDocument(document);
}

/** Opens two documents side by side. */
export async function showDifference(
  before: vscode.Uri,
  after: vscode.Uri,
  title: string,
  isPreview = true,
): Promise<void> {
  const options = { preview: isPreview };
  await vscode.commands.executeCommand("vscode.diff", before, after, title, options);
}

/** Parts of the URI of a document about an invocation that select what it shows. */
interface RecordUriParts {
  /** How much of an output is shown. Missing for a result. */
  readonly extent?: string;
  /** The JSON pointer of the only text that is shown. */
  readonly text?: string;
  /** The order of the facts of an invocation. */
  readonly order?: string;
}

/**
 * Creates the URI of a document about an invocation. The editor shows the path, so the path has the time; the query has
 * the ID of the record.
 */
export function recordUri(
  scheme: string,
  { id, startedAt }: { readonly id: string; readonly startedAt: number },
  name: string,
  parts: RecordUriParts,
): vscode.Uri {
  const query = new URLSearchParams({ id, ...parts }).toString();
  return vscode.Uri.from({ scheme, path: `/${localMinute(startedAt)}/${name}`, query });
}

/** Returns the ID of the record in a URI. A tab that an earlier version opened has it in its path. */
export function recordIdIn({ path, query }: vscode.Uri): string {
  return new URLSearchParams(query).get("id") ?? path.split("/")[1] ?? "";
}

/** Returns a part of the URI of a document about an invocation; undefined if it is missing. */
export function partOf({ query }: vscode.Uri, part: keyof RecordUriParts): string | undefined {
  return new URLSearchParams(query).get(part) ?? undefined;
}

/** Returns the URI with other parts. */
export function withParts(uri: vscode.Uri, parts: RecordUriParts): vscode.Uri {
  const query = new URLSearchParams({ id: recordIdIn(uri), ...parts }).toString();
  return uri.with({ query });
}

/**
 * The lenses above the first line of documents. The editor is asked to draw them again only if they changed, since a
 * lens that is redrawn under the pointer ignores the click.
 */
export abstract class Lenses extends Owner implements vscode.CodeLensProvider {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  /** What the editor has of each document; undefined while it is being provided. */
  private readonly drawn = new Map<string, string | undefined>();

  readonly onDidChangeCodeLenses = this.changed.event;

  protected abstract lensesOf(document: vscode.TextDocument): Promise<vscode.CodeLens[]>;

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const name = document.uri.toString();
    this.drawn.set(name, undefined);
    const lenses = await this.lensesOf(document);
    this.drawn.set(name, lensText(lenses));
    return lenses;
  }

  /** Has the editor draw the lenses again if those of an open document are other ones now. */
  protected async draw(): Promise<void> {
    const open = vscode.workspace.textDocuments;
    const names = new Set(open.map(({ uri }) => uri.toString()));
    for (const name of this.drawn.keys()) if (!names.has(name)) this.drawn.delete(name);
    const changes = open.map(async (document) => {
      const name = document.uri.toString();
      if (!this.drawn.has(name)) return false;
      const now = lensText(await this.lensesOf(document));
      return this.drawn.get(name) !== now;
    });
    if ((await Promise.all(changes)).includes(true)) this.changed.fire();
  }
}

/** Returns a text that differs if a person sees other lenses, or presses other ones. */
function lensText(lenses: readonly vscode.CodeLens[]): string {
  return JSON.stringify(lenses.map(({ command }) => command));
}
