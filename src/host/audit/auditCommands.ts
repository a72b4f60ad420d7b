import * as vscode from "vscode";
import { noFilter } from "../../core/invocation/record/invocationFilter";
import type { InvocationRecord } from "../../core/invocation/record/invocationRecord";
import type { SkillDetails } from "../inspect/skillDetails";
import type { CommandHandlers } from "../registerCommands";
import { chooseInvocation, type InvocationChoice } from "./chooseInvocation";
import { compareInvocation } from "./compareInvocation";
import { copyInvocationId } from "./copyInvocationId";
import { deleteInvocation, stillRunning } from "./deleteInvocation";
import { exportInvocations } from "./exportInvocations";
import { filterInvocations } from "./filterInvocations";
import type { InvocationDocuments } from "./invocationDocuments";
import type { InvocationHistory } from "./invocationHistory";
import type { InvocationsView } from "./invocationsView";
import type { OutputDocuments } from "./outputDocuments";
import { showOutputText } from "./showOutputText";

/** What the commands about past calls work with. */
export interface AuditParts {
  readonly history: InvocationHistory;
  readonly view: InvocationsView;
  readonly documents: InvocationDocuments;
  readonly outputs: OutputDocuments;
  readonly details: SkillDetails;
}

/** Builds the commands about past calls. Each takes a row of the view, or asks which call is meant. */
export function auditCommands({ history, view, documents, outputs, details }: AuditParts) {
  const hadOutput = {
    among: ({ responseSha256 }: InvocationRecord) => responseSha256 !== undefined,
    none: vscode.l10n.t("No invocation on record has an output."),
  };
  const about =
    (
      title: string,
      work: (record: InvocationRecord) => Promise<unknown>,
      choice: Omit<InvocationChoice, "title"> = {},
    ) =>
    async (argument: unknown) => {
      const record = await chooseInvocation(history, argument, { title, ...choice });
      if (record !== undefined) await work(record);
    };
  return {
    openInvocation: about(vscode.l10n.t("Open Invocation"), (record) => documents.open(record)),
    openOutput: about(vscode.l10n.t("Open Output"), (record) => outputs.open(record)),
    copyOutput: about(vscode.l10n.t("Copy Output"), (record) => outputs.copy(record), hadOutput),
    showOutputAsText: about(
      vscode.l10n.t("Show Output as Text"),
      (record) => showOutputText(outputs, details, record),
      hadOutput,
    ),
    compareInvocation: about(vscode.l10n.t("Compare with Previous Invocation"), (record) =>
      compareInvocation(history, record),
    ),
    copyInvocationId: about(vscode.l10n.t("Copy Invocation ID"), copyInvocationId),
    pinInvocation: about(vscode.l10n.t("Pin Invocation"), ({ id }) => history.pin(id, true), {
      among: ({ pinned }) => pinned !== true,
      none: vscode.l10n.t("All invocations are pinned already."),
    }),
    unpinInvocation: about(vscode.l10n.t("Unpin Invocation"), ({ id }) => history.pin(id, false), {
      among: ({ pinned }) => pinned === true,
      none: vscode.l10n.t("No invocation is pinned."),
    }),
    deleteInvocation: about(
      vscode.l10n.t("Delete Invocation"),
      (record) => deleteInvocation(history, record),
      {
        among: ({ status }) => status !== "running",
        none: stillRunning(),
      },
    ),
    filterInvocations: (given: unknown) => filterInvocations(view, history, given),
    clearInvocationFilter: () => {
      view.filter = noFilter;
    },
    exportInvocations: () => exportInvocations(history, view.filter),
  } satisfies Partial<CommandHandlers>;
}
