import * as vscode from "vscode";
import type { InvocationRecord } from "../../core/invocation/record/invocationRecord";

/** Copies the ID a registry gave a call, or says that it gave none. */
export async function copyInvocationId(record: InvocationRecord): Promise<void> {
  if (record.invocationId === undefined) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t("The registry returned no invocation ID."),
    );
    return;
  }
  await vscode.env.clipboard.writeText(record.invocationId);
  vscode.window.setStatusBarMessage(vscode.l10n.t("$(copy) Invocation ID copied."), 4000);
}
