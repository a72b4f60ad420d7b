import * as vscode from "vscode";
import type { InvocationRecord } from "../../core/invocation/invocationRecord";
import { notificationText } from "../../core/text/plainText";
import type { InvocationHistory } from "./invocationHistory";

/** Removes a call from the record, after asking. The registry keeps what it has. */
export async function deleteInvocation(
  history: InvocationHistory,
  record: InvocationRecord,
): Promise<void> {
  const remove = "Delete";
  const time = new Date(record.startedAt).toLocaleString();
  const answer = await vscode.window.showWarningMessage(
    notificationText(`Delete the call of ${record.skillSlug} from ${time}?`),
    {
      modal: true,
      detail: "Its record on this machine is removed for good. The registry keeps its own.",
    },
    remove,
  );
  if (answer === remove) await history.remove(record.id);
}
