import * as vscode from "vscode";
import { previousOutput } from "../../core/invocation/record/invocationDays";
import type { InvocationRecord } from "../../core/invocation/record/invocationRecord";
import { longestResult } from "../../core/invocation/record/outputDocument";
import { outputTexts } from "../../core/invocation/record/outputTexts";
import { commandIds, outputScheme } from "../ids";
import type { InvocationHistory } from "./invocationHistory";
import { isJson, type OutputDocuments, recordIdOf } from "./outputDocuments";

/** Puts what can be done with an output above its first line. */
export class OutputCodeLens implements vscode.CodeLensProvider {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscription: vscode.Disposable;

  readonly onDidChangeCodeLenses = this.changed.event;

  constructor(
    private readonly history: InvocationHistory,
    private readonly outputs: OutputDocuments,
  ) {
    this.subscription = vscode.Disposable.from(
      vscode.languages.registerCodeLensProvider({ scheme: outputScheme }, this),
      // What it can be compared with comes and goes.
      history.onDidChange(() => this.changed.fire()),
    );
  }

  async provideCodeLenses({ uri }: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    // In a comparison the lines of both sides stand side by side.
    const id = isJson(uri) && uri.query !== "bare" ? recordIdOf(uri) : undefined;
    const record = id === undefined ? undefined : await this.history.find(id);
    return record === undefined ? [] : this.lensesOf(record, uri);
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }

  private async lensesOf(
    record: InvocationRecord,
    { query }: vscode.Uri,
  ): Promise<vscode.CodeLens[]> {
    const output = await this.outputs.output(record.id);
    const lens = (title: string, command: string) =>
      new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
        title,
        command,
        arguments: [{ id: record.id }],
      });
    const lenses: vscode.CodeLens[] = [];
    if (output !== undefined) {
      lenses.push(lens(vscode.l10n.t("Copy"), commandIds.copyOutput));
      if (outputTexts(output).length > 0) {
        lenses.push(lens(vscode.l10n.t("Show as Text"), commandIds.showOutputAsText));
      }
      if (output.length > longestResult && query === "") {
        lenses.push(lens(vscode.l10n.t("Show All"), commandIds.openOutput));
      }
      if (previousOutput(await this.history.list(), record) !== undefined) {
        lenses.push(lens(vscode.l10n.t("Compare with Previous"), commandIds.compareInvocation));
      }
    } else {
      lenses.push(lens(vscode.l10n.t("Open Invocation"), commandIds.openInvocation));
    }
    if (record.invocationId !== undefined) {
      lenses.push(lens(vscode.l10n.t("Invocation ID"), commandIds.copyInvocationId));
    }
    return lenses;
  }
}
