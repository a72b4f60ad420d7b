import * as vscode from "vscode";
import { parsedJson } from "../../../core/json/jsonValue";
import type { PayloadChecks } from "../../author/payloadChecks";
import { checkedPayload, showFirstProblem } from "../../author/payloadDocument";
import type { SkillPages } from "../../inspect/skillPages";
import { warn } from "../../ui/messages";

/**
 * Opens the payload of a document as a form, on its skill's page in the bound version. The form edits the document. A
 * payload that is not JSON, for instance with comments, stays in its editor with its first problem shown.
 */
export async function editAsForm(
  pages: Pick<SkillPages, "tryIt">,
  checks: PayloadChecks,
  argument: unknown,
): Promise<void> {
  const checked = await checkedPayload(checks, argument);
  if (checked === undefined) return;
  const { document, skill, check } = checked;
  if (parsedJson(document.getText()) === undefined) {
    await showFirstProblem(document, check);
    void warn(vscode.l10n.t("This payload is not valid JSON. Repair it, then edit it as a form."));
    return;
  }
  const { slug, version } = skill.summary;
  await pages.tryIt(slug, version, { skill: { slug, version }, document });
}
