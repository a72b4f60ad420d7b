import * as vscode from "vscode";
import { payloadStatusText } from "../../core/payload/payloadStatus";
import { addressText } from "../../core/skill/skillAddress";
import { labelText } from "../../core/text/plainText";
import { commandIds } from "../ids";
import { hostLanguage } from "../ui/hostLanguage";
import { Owner } from "../ui/owner";
import type { PayloadBindings } from "./payloadBindings";
import { addressOfChecked, type CheckedPayload, type PayloadChecks } from "./payloadChecks";
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
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        const shown = documentOnScreen()?.uri.toString();
        if (uris.some((uri) => uri.toString() === shown)) this.show();
      }),
    );
    this.show();
  }

  private show(): void {
    const document = documentOnScreen();
    const bound = document !== undefined && this.bindings.find(document.uri) !== undefined;
    const checked = bound ? this.checks.find(document) : undefined;
    if (checked === undefined) this.item?.hide();
    else this.draw(checked);
  }

  private draw(checked: CheckedPayload): void {
    this.item ??= this.own(createItem());
    const { slug, version } = addressOfChecked(checked);
    const skill = labelText(addressText(slug, version), 80);
    const { icon, words, tooltip } = payloadStatusText(
      checked.state,
      listedProblems(checked.document),
      hostLanguage(),
    );
    this.item.text = `$(${icon}) ${skill}: ${words}`;
    this.item.tooltip = tooltip;
    this.item.accessibilityInformation = {
      label: vscode.l10n.t("Payload for {0}: {1}", skill, words),
      role: "button",
    };
    this.item.show();
  }
}

/**
 * Counts the errors and warnings of a document in the Problems panel: ours, and those of the editor's JSON support, which
 * replace ours for the same error. Spell checkers report information.
 */
function listedProblems({ uri }: vscode.TextDocument): number {
  const { Warning: warning } = vscode.DiagnosticSeverity;
  return vscode.languages.getDiagnostics(uri).filter(({ severity }) => severity <= warning).length;
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
