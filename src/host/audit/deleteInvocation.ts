import * as vscode from "vscode";
import type { InvocationRecord } from "../../core/invocation/record/invocationRecord";
import { notificationText } from "../../core/text/plainText";
import { timeFormats } from "../../core/text/timeFormats";
import { hostLanguage } from "../words/hostLanguage";
import type { InvocationHistory } from "./invocationHistory";

/** Removes a call from the record, after asking. The registry keeps what it has. */
export async function deleteInvocation(
  history: InvocationHistory,
  record: InvocationRecord,
): Promise<void> {
  // Its end would be recorded all the same, here or in the window that waits for it.
  if (record.status === "running") {
    void vscode.window.showInformationMessage(stillRunning());
    return;
  }
  const remove = vscode.l10n.t("Delete");
  const time = timeFormats(hostLanguage()).moment(record.startedAt);
  const answer = await vscode.window.showWarningMessage(
    notificationText(
      vscode.l10n.t("Delete the invocation of {0} from {1}?", record.skillSlug, time),
    ),
    {
      modal: true,
      detail: vscode.l10n.t(
        "Its record on this machine is removed for good. The registry keeps its own.",
      ),
    },
    remove,
  );
  if (answer === remove) await history.remove(record.id);
}

/** Says why a running invocation stays. */
export function stillRunning(): string {
  return vscode.l10n.t("This invocation is still running. Delete it when it has ended.");
}
