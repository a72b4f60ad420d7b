import * as vscode from "vscode";
import { labelText } from "../../core/text/plainText";
import { commandIds, editorCommandIds } from "../ids";
import type { RunningInvocations } from "../invoke/runningInvocations";
import type { TestRunOffer } from "../workspace/testRuns";
import type { PayloadBindings } from "./payloadBindings";
import type { PayloadChecks } from "./payloadChecks";
import { payloadLanguages } from "./payloadDocument";
import type { PayloadVersions } from "./payloadVersions";

/** Puts the actions of a payload above its first line. */
export class PayloadCodeLens implements vscode.CodeLensProvider {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable[];

  readonly onDidChangeCodeLenses = this.changed.event;

  constructor(
    private readonly bindings: PayloadBindings,
    private readonly checks: PayloadChecks,
    private readonly versions: PayloadVersions,
    private readonly running: RunningInvocations,
    private readonly testRuns: TestRunOffer,
  ) {
    this.subscriptions = [
      vscode.languages.registerCodeLensProvider(payloadLanguages, this),
      bindings.onDidChange(() => this.changed.fire()),
      checks.onDidChange(() => this.changed.fire()),
      versions.onDidChange(() => this.changed.fire()),
      running.onDidChange(() => this.changed.fire()),
      testRuns.onDidChange(() => this.changed.fire()),
    ];
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const binding = this.bindings.find(document.uri);
    if (binding === undefined) return [];
    const { slug, version } = binding;
    const skill = labelText(version === undefined ? slug : `${slug}@${version}`, 80);
    const lens = (title: string, command: string, argument: unknown) =>
      new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command, arguments: [argument] });
    const news = this.versions.find(document);
    const after = labelText(news?.after ?? "", 40);
    const newsTitle =
      news?.project === undefined
        ? vscode.l10n.t("New version {0}: what changed", after)
        : vscode.l10n.t("The project runs {0}: what differs", after);
    const isRunning = this.running.find(document.uri) !== undefined;
    return [
      isRunning
        ? lens(`■ ${vscode.l10n.t("Cancel")}`, commandIds.cancelInvocation, document.uri)
        : lens(`▷ ${vscode.l10n.t("Invoke {0}", skill)}`, commandIds.invoke, document.uri),
      ...(this.testRuns.isOffered && !isRunning
        ? [lens(vscode.l10n.t("Test Run"), commandIds.testRun, document.uri)]
        : []),
      lens(vscode.l10n.t("Validate"), commandIds.validatePayload, document.uri),
      lens(vscode.l10n.t("View Skill"), commandIds.openSkill, slug),
      ...(this.hasExamples(document)
        ? [lens(vscode.l10n.t("Examples"), commandIds.fillPayload, document.uri)]
        : []),
      lens(vscode.l10n.t("Change Skill"), commandIds.bindPayload, document.uri),
      ...(news === undefined
        ? []
        : [lens(newsTitle, editorCommandIds.showVersionNews, document.uri)]),
    ];
  }

  private hasExamples(document: vscode.TextDocument): boolean {
    const state = this.checks.find(document)?.state;
    return state?.kind === "checked" && state.skill.examples.length > 0;
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.changed.dispose();
  }
}
