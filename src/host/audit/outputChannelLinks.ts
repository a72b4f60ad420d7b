import * as vscode from "vscode";
import { outputLinks } from "../../core/invocation/record/outputLinks";
import { commandIds } from "../ids";
import type { InvocationHistory } from "./invocationHistory";

/** Makes the output channel's headers lead to their calls, and cut outputs to all of them. */
export class OutputChannelLinks implements vscode.DocumentLinkProvider {
  private readonly registration: vscode.Disposable;

  constructor(private readonly history: InvocationHistory) {
    this.registration = vscode.languages.registerDocumentLinkProvider({ scheme: "output" }, this);
  }

  async provideDocumentLinks(document: vscode.TextDocument): Promise<vscode.DocumentLink[]> {
    // Channels of every extension come by here; only ours has such lines.
    const found = outputLinks(document.getText());
    if (found.length === 0) return [];
    const byTime = new Map(
      (await this.history.list()).map(({ startedAt, id }) => [startedAt, id] as const),
    );
    return found.flatMap(({ start, end, startedAt, opens }) => {
      const id = byTime.get(startedAt);
      if (id === undefined) return [];
      const command = opens === "output" ? commandIds.openOutput : commandIds.openInvocation;
      const argument = encodeURIComponent(JSON.stringify([{ id }]));
      const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
      const link = new vscode.DocumentLink(
        range,
        vscode.Uri.parse(`command:${command}?${argument}`),
      );
      link.tooltip =
        opens === "output" ? vscode.l10n.t("Open Output") : vscode.l10n.t("Open Invocation");
      return [link];
    });
  }

  dispose(): void {
    this.registration.dispose();
  }
}
