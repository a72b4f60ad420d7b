import * as vscode from "vscode";
import type { RecordReports } from "../../engine/record/invocationHistory";
import { warn } from "../ui/messages";
import type { OutputChannels } from "../ui/outputChannels";
import { warnWithLog } from "../ui/showNotice";

/** Tells the user what goes wrong with the record; the log has the reason. */
export function recordReports(channels: Pick<OutputChannels, "noteFailure">): RecordReports {
  return {
    damaged: (names, folder) => {
      channels.noteFailure(`Damaged records, set aside in ${folder}: ${names.join(", ")}`);
      warnWithLog(
        names.length === 1
          ? vscode.l10n.t(
              "The record {0} was damaged and set aside as *.damaged. The other invocations are not affected; the log names the folder.",
              names[0] ?? "",
            )
          : vscode.l10n.t(
              "{0} records were damaged and set aside as *.damaged. The other invocations are not affected; the log names the folder.",
              names.length,
            ),
      );
    },
    notWritten: (error, isFirst) => {
      channels.noteFailure(`An invocation could not be recorded: ${String(error)}`);
      if (!isFirst) return;
      warnWithLog(
        vscode.l10n.t(
          "Invocations cannot be recorded: the folder of the record cannot be written. They stay listed until this window closes, and in the output channel with their IDs.",
        ),
      );
    },
    notRetained: (error) =>
      channels.noteFailure(`Old invocations could not be removed: ${String(error)}`),
    notChanged: (error) => {
      channels.noteFailure(`The record could not be changed: ${String(error)}`);
      void warn(vscode.l10n.t("Not changed: the folder of the record cannot be written."));
    },
  };
}
