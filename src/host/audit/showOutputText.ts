import * as vscode from "vscode";
import type { InvocationRecord } from "../../core/invocation/record/invocationRecord";
import { type OutputText, outputTexts } from "../../core/invocation/record/outputTexts";
import { labelText } from "../../core/text/plainText";
import type { SkillDetails } from "../inspect/skillDetails";
import type { OutputDocuments } from "./outputDocuments";

/**
 * Shows the long string of an output as text, or the one of several that the user picks. The skill's
 * output schema may say what language it is in.
 */
export async function showOutputText(
  outputs: OutputDocuments,
  details: SkillDetails,
  record: InvocationRecord,
): Promise<void> {
  const output = (await outputs.output(record.id)) ?? "";
  if (outputTexts(output).length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t("This output has no long text to show."),
    );
    return;
  }
  const found = await details.find(record.skillSlug, record.version || undefined);
  const texts = outputTexts(output, found.ok ? found.value.outputSchema : undefined);
  const text = texts.length > 1 ? await chooseText(texts) : texts[0];
  if (text !== undefined) await outputs.openText(record, text);
}

async function chooseText(texts: readonly OutputText[]): Promise<OutputText | undefined> {
  const picked = await vscode.window.showQuickPick(
    texts.map((text) => ({
      label: labelText(text.pointer),
      description: vscode.l10n.t("{0} characters", text.length),
      text,
    })),
    { title: vscode.l10n.t("Show Output as Text") },
  );
  return picked?.text;
}
