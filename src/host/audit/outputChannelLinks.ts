import * as vscode from "vscode";
import { outputHeading, outputLinks } from "../../core/invocation/record/invocationTexts";
import { commandIds } from "../ids";
import type { InvocationHistory } from "./invocationHistory";

/** Makes the output channel's headers lead to their invocations, and cut outputs to all of them. */
export class OutputChannelLinks implements vscode.DocumentLinkProvider {
  private readonly registration: vscode.Disposable;

  /** `extensionId` stands in the address of an extension's output channels. */
  constructor(
    private readonly history: InvocationHistory,
    private readonly extensionId: string,
  ) {
    this.registration = vscode.languages.registerDocumentLinkProvider({ scheme: "output" }, this);
  }

  async provideDocumentLinks(document: vscode.TextDocument): Promise<vscode.DocumentLink[]> {
    // Channels of every extension come by here.
    if (!document.uri.path.includes(`extension-output-${this.extensionId}-`)) return [];
    const found = outputLinks(document.getText());
    if (found.length === 0) return [];
    const records = await this.history.list();
    const byHeading = new Map(records.map((record) => [outputHeading(record), record.id] as const));
    return found.flatMap(({ start, end, heading, opens }) => {
      const id = byHeading.get(heading);
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
