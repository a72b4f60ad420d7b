import * as vscode from "vscode";
import { Owner } from "./owner";

/** The read-only documents of a scheme: each has the text that is read when the editor asks for it. */
export abstract class Documents extends Owner {
  /** Has the editor read the document of a URI again where it is open. */
  protected readonly changed = this.own(new vscode.EventEmitter<vscode.Uri>());

  constructor(private readonly scheme: string) {
    super();
    this.own(
      vscode.workspace.registerTextDocumentContentProvider(scheme, {
        onDidChange: this.changed.event,
        provideTextDocumentContent: (uri) => this.textOf(uri),
      }),
    );
  }

  /** Reads the text of a document. */
  protected abstract textOf(uri: vscode.Uri): string | Promise<string>;

  /** Returns the URI of a document: the editor shows the path as a name, the query has what it is read by. */
  protected uriOf(path: string, query: Readonly<Record<string, string>> = {}): vscode.Uri {
    const text = new URLSearchParams(query).toString();
    return vscode.Uri.from({ scheme: this.scheme, path, query: text });
  }

  /** Opens a document in an editor, with the text it has now: it may be open already with another. */
  protected async openAt(uri: vscode.Uri): Promise<void> {
    this.changed.fire(uri);
    await vscode.window.showTextDocument(uri);
  }
}

/** The read-only documents of a scheme whose contents were made for them and last as long as the window. */
export abstract class KeptDocuments<Content extends { readonly text: string }> extends Documents {
  /** By path. */
  protected readonly kept = new Map<string, Content>();

  /** `expired` says how to get a document again that an earlier window had. */
  constructor(
    scheme: string,
    private readonly expired: string,
  ) {
    super(scheme);
  }

  /** Keeps the content of a document in place of what it had. */
  protected keep(path: string, content: Content): vscode.Uri {
    this.kept.set(path, content);
    const uri = this.uriOf(path);
    this.changed.fire(uri);
    return uri;
  }

  protected textOf({ path }: vscode.Uri): string {
    return this.kept.get(path)?.text ?? `${this.expired}\n`;
  }
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
