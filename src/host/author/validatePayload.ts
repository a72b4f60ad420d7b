import * as vscode from "vscode";
import { failureNotice, type RegistryFailure } from "../../core/registry/registryFailure";
import { labelText } from "../../core/text/plainText";
import { hostLanguage } from "../messages/hostLanguage";
import { showNotice } from "../messages/showNotice";
import type { CheckedPayload, PayloadChecks } from "./payloadChecks";
import { payloadDocument, showDocument } from "./payloadDocument";

const statusMessageMs = 5000;

/** Checks the payload in front of the user, says how it went and goes to the first problem. */
export async function validatePayload(checks: PayloadChecks, argument: unknown): Promise<void> {
  const document = payloadDocument(argument);
  const checked = document === undefined ? undefined : await checks.check(document);
  if (checked === undefined) {
    await vscode.window.showInformationMessage(
      vscode.l10n.t(
        "This editor is not bound to a skill. Run “Skill Registry: Bind This JSON to a Skill…” first.",
      ),
    );
    return;
  }
  const { state } = checked;
  if (state.kind === "unavailable") {
    await presentUnavailable(state.failure);
  } else if (state.kind === "checked" && state.check.state === "valid") {
    const { slug, version } = state.skill.summary;
    const skill = labelText(`${slug}@${version}`, 80);
    vscode.window.setStatusBarMessage(
      vscode.l10n.t("$(pass) The payload is valid for {0}.", skill),
      statusMessageMs,
    );
  } else if (state.kind === "checked") {
    await showFirstProblem(checked);
  }
}

/** Tells why a payload's skill cannot be read; of one that is not there, offers to choose another. */
async function presentUnavailable(failure: RegistryFailure): Promise<void> {
  const notice = failureNotice(failure, hostLanguage());
  if (notice === undefined) return;
  const title = vscode.l10n.t("Bind to Another Skill…");
  const bind = failure.kind === "notFound" ? [{ action: "bindPayload", title } as const] : [];
  await showNotice({ ...notice, actions: [...bind, ...notice.actions] });
}

/** Puts the cursor on the first problem of a payload and shows its description there. */
export async function showFirstProblem({ document, state }: CheckedPayload): Promise<void> {
  const editor = await showDocument(document);
  const problems = state.kind === "checked" ? state.check.problems : [];
  const first = problems.find(({ severity }) => severity === "error") ?? problems[0];
  if (first === undefined) return;
  const start = document.positionAt(first.start);
  editor.selection = new vscode.Selection(start, start);
  editor.revealRange(
    new vscode.Range(start, start),
    vscode.TextEditorRevealType.InCenterIfOutsideViewport,
  );
  await vscode.commands.executeCommand("editor.action.showHover");
}
