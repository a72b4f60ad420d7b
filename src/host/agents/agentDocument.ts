import * as vscode from "vscode";
import { agentsScheme } from "../ids";

/** The read-only document that says what agents may do. */
export class AgentDocument implements vscode.TextDocumentContentProvider {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly registration: vscode.Disposable;
  private readonly uri = vscode.Uri.from({ scheme: agentsScheme, path: "/agents.txt" });
  readonly onDidChange = this.changed.event;

  constructor(private readonly write: () => Promise<string>) {
    this.registration = vscode.workspace.registerTextDocumentContentProvider(agentsScheme, this);
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

  dispose(): void {
    this.changed.dispose();
    this.registration.dispose();
  }
}
