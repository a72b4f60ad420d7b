import * as vscode from "vscode";
import { canonicalText } from "../../core/json/jsonValue";
import type { NewReview } from "../../core/review/newReview";
import type { Contract } from "../../core/skill/compare/contract";
import { oneLine } from "../../core/text/plainText";
import { contractScheme } from "../ids";
import { KeptDocuments, showDifference } from "../ui/documents";

/** Shows the last reviewed contract beside the one to review now, as read-only JSON with sorted members. */
export class ContractDocuments extends KeptDocuments<{ readonly text: string }> {
  constructor() {
    super(
      contractScheme,
      vscode.l10n.t("This comparison has expired. Run “Skill Registry: Review This Skill…” again."),
    );
  }

  /** Opens the comparison. Replaces the previous one. */
  async showDifference(
    before: NonNullable<NewReview["before"]>,
    { review: { skill, version }, contract }: NewReview,
  ): Promise<void> {
    this.contents.clear();
    const old = this.put(`${skill}@${before.version} reviewed`, before.contract);
    const now = this.put(`${skill}@${version} now`, contract);
    await showDifference(old, now, oneLine(`${skill}: ${before.version} ↔ ${version}`, 120));
  }

  private put(name: string, contract: Contract): vscode.Uri {
    const sorted: unknown = JSON.parse(canonicalText(contract));
    const path = `/${name.replaceAll(/[^\w.@+ -]/g, "_").slice(0, 150)}.json`;
    return this.keep(path, { text: `${JSON.stringify(sorted, undefined, 2)}\n` });
  }
}
