import * as vscode from "vscode";
import { verdictText } from "../../core/payload/payloadCheck";
import { registryFailureText } from "../../core/registry/registryFailure";
import { pinNote } from "../../core/skill/description/describeSkill";
import { labelText, oneLine } from "../../core/text/plainText";
import { commandIds, contextKeys } from "../ids";
import { resourcePath } from "../invoke/runningInvocations";
import { hostLanguage } from "../ui/hostLanguage";
import { Owner } from "../ui/owner";
import type { PayloadBindings } from "./payloadBindings";
import type { CheckedPayload, PayloadChecks } from "./payloadChecks";
import { documentOnScreen } from "./payloadDocument";

/** Shows the active payload's skill, version and validity in the status bar; a click lists the problems. */
export class PayloadStatus extends Owner {
  private item: vscode.StatusBarItem | undefined;

  constructor(
    private readonly bindings: PayloadBindings,
    private readonly checks: PayloadChecks,
  ) {
    super();
    this.own(
      vscode.window.onDidChangeActiveTextEditor(() => this.show()),
      vscode.window.tabGroups.onDidChangeTabs(() => this.show()),
      bindings.onDidChange(() => this.show()),
      checks.onDidChange(() => this.show()),
    );
    this.show();
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
    this.item ??= this.own(createItem());
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
