import * as vscode from "vscode";
import { canonicalText } from "../../core/json/jsonValue";
import type { Contract } from "../../core/review/contract";
import type { NewReview } from "../../core/review/newReview";
import { oneLine } from "../../core/text/plainText";
import { contractScheme } from "../ids";
import { Owner } from "../ui/owner";

/** Shows the last reviewed contract beside the one to review now, as read-only JSON with sorted members. */
export class ContractDocuments extends Owner implements vscode.TextDocumentContentProvider {
  private readonly changed = this.own(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.changed.event;
  private readonly texts = new Map<string, string>();
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(
    contractScheme,
    this,
  );

  /** Opens the comparison, replacing the previous one. */
  async showDifference(
    before: NonNullable<NewReview["before"]>,
    { review: { skill, version }, contract }: NewReview,
  ): Promise<void> {
    this.texts.clear();
    const old = this.put(`${skill}@${before.version} reviewed`, before.contract);
    const now = this.put(`${skill}@${version} now`, contract);
    const title = oneLine(`${skill}: ${before.version} ↔ ${version}`, 120);
    await vscode.commands.executeCommand("vscode.diff", old, now, title, { preview: true });
  }

  provideTextDocumentContent({ path }: vscode.Uri): string {
    const expired = vscode.l10n.t(
      "This comparison has expired. Run “Skill Registry: Review This Skill…” again.",
    );
    return this.texts.get(path) ?? `${expired}\n`;
  }

  override dispose(): void {
    this.registration.dispose();
    super.dispose();
  }

  private put(name: string, contract: Contract): vscode.Uri {
    const path = `/${name.replaceAll(/[^\w.@+ -]/g, "_").slice(0, 150)}.json`;
    const sorted: unknown = JSON.parse(canonicalText(contract));
    this.texts.set(path, `${JSON.stringify(sorted, undefined, 2)}\n`);
    const uri = vscode.Uri.from({ scheme: contractScheme, path });
    this.changed.fire(uri);
    return uri;
  }
}
