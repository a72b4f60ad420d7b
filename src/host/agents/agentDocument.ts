import * as vscode from "vscode";
import { agentsScheme } from "../ids";
import { Owner } from "../ui/owner";

/** The read-only document that says what agents may do. */
export class AgentDocument extends Owner implements vscode.TextDocumentContentProvider {
  private readonly changed = this.own(new vscode.EventEmitter<vscode.Uri>());
  private readonly uri = vscode.Uri.from({ scheme: agentsScheme, path: "/agents.txt" });
  readonly onDidChange = this.changed.event;

  constructor(private readonly write: () => Promise<string>) {
    super();
    this.own(vscode.workspace.registerTextDocumentContentProvider(agentsScheme, this));
  }

  async show(): Promise<void> {
    this.refresh();
    await vscode.window.showTextDocument(this.uri, { preview: false });
  }

  refresh(): void {
    this.changed.fire(this.uri);
  }

  provideTextDocumentContent(): Promise<string> {
    return this.write();
  }
}
