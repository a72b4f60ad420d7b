import * as vscode from "vscode";
import { verdictText } from "../../core/payload/payloadCheck";
import { registryFailureText } from "../../core/registry/registryFailure";
import { pinNote } from "../../core/skill/description/describeSkill";
import { labelText, oneLine } from "../../core/text/plainText";
import { commandIds, contextKeys, editorCommandIds } from "../ids";
import type { TestRunOffer } from "../invoke/invocationTarget";
import { type RunningInvocations, resourcePath } from "../invoke/runningInvocations";
import { hostLanguage } from "../ui/hostLanguage";
import type { PayloadBindings } from "./payloadBindings";
import type { CheckedPayload, PayloadChecks } from "./payloadChecks";
import { documentOnScreen, payloadLanguages } from "./payloadDocument";
import type { PayloadVersions } from "./payloadVersions";

/** Shows the active payload's skill, version and validity in the status bar; a click lists the problems. */
export class PayloadStatus {
  private item: vscode.StatusBarItem | undefined;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly bindings: PayloadBindings,
    private readonly checks: PayloadChecks,
  ) {
    this.subscriptions = [
      vscode.window.onDidChangeActiveTextEditor(() => this.show()),
      vscode.window.tabGroups.onDidChangeTabs(() => this.show()),
      bindings.onDidChange(() => this.show()),
      checks.onDidChange(() => this.show()),
    ];
    this.show();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.item?.dispose();
  }

  private show(): void {
    const document = documentOnScreen();
    const bound = document !== undefined && this.bindings.find(document.uri) !== undefined;
    void vscode.commands.executeCommand("setContext", contextKeys.payloadBound, bound);
    const payloads = vscode.workspace.textDocuments.filter(({ uri }) => this.bindings.find(uri));
    const paths = payloads.map(({ uri }) => resourcePath(uri));
    void vscode.commands.executeCommand("setContext", contextKeys.payloads, paths);
    const checked = bound ? this.checks.find(document) : undefined;
    if (checked === undefined) this.item?.hide();
    else this.draw(checked);
  }

  private draw(checked: CheckedPayload): void {
    this.item ??= createItem();
    const { slug, version } = checked.binding;
    const skill = labelText(version === undefined ? slug : `${slug}@${version}`, 80);
    const { icon, words, tooltip } = look(checked);
    this.item.text = `$(${icon}) ${skill}: ${words}`;
    this.item.tooltip = tooltip;
    this.item.accessibilityInformation = {
      label: vscode.l10n.t("Payload for {0}: {1}", skill, words),
      role: "button",
    };
    this.item.show();
  }
}

function createItem(): vscode.StatusBarItem {
  const item = vscode.window.createStatusBarItem(
    "skillRegistry.payload",
    vscode.StatusBarAlignment.Right,
    100,
  );
  item.name = vscode.l10n.t("Skill Payload");
  item.command = commandIds.validatePayload;
  return item;
}

function look({ state }: CheckedPayload): { icon: string; words: string; tooltip: string } {
  if (state.kind === "checking") {
    return {
      icon: "loading~spin",
      words: vscode.l10n.t("checking"),
      tooltip: vscode.l10n.t("Checking against the input schema"),
    };
  }
  if (state.kind === "unavailable") {
    return {
      icon: "question",
      words: vscode.l10n.t("not checked"),
      tooltip: registryFailureText(state.failure, hostLanguage()),
    };
  }
  const words = verdictText(state.check, hostLanguage());
  const note = pinNote(state.skill, hostLanguage());
  const withNote = (tooltip: string) =>
    note === undefined ? tooltip : `${tooltip}\n${oneLine(note.text, 300)}`;
  switch (state.check.state) {
    case "valid":
      return { icon: "pass", words, tooltip: withNote(vscode.l10n.t("The payload is valid")) };
    case "invalid":
      return { icon: "error", words, tooltip: withNote(vscode.l10n.t("Show the problems")) };
    case "unchecked": {
      const reason = state.check.reason ?? vscode.l10n.t("The payload was not validated");
      return { icon: "question", words, tooltip: withNote(reason) };
    }
  }
}

/** Shows the actions of a payload above its first line. */
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
