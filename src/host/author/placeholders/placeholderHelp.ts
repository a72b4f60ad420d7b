import * as vscode from "vscode";
import {
  noEnvironment,
  type PayloadEnvironment,
} from "../../../core/environment/payloadEnvironment";
import { findPlaceholders, unfinishedPlaceholder } from "../../../core/environment/placeholders";
import { placeholderText, proposedNames } from "../../../core/environment/placeholderText";
import { isSuiteFile } from "../../../core/suite/suite";
import { suiteParts } from "../../../core/suite/suiteText";
import { markdownText } from "../../../core/text/plainText";
import type { WorkspaceEnvironments } from "../../environments/workspaceEnvironments";
import { rangeIn } from "../../marks";
import { hostLanguage } from "../../ui/hostLanguage";
import { Owner } from "../../ui/owner";
import { payloadLanguages } from "../payloadBindings";
import type { PayloadChecks } from "../payloadChecks";

/** Explains the placeholders of payloads and of suites, and lists the names that complete them. */
export class PlaceholderHelp extends Owner implements vscode.HoverProvider {
  constructor(
    private readonly checks: Pick<PayloadChecks, "find">,
    private readonly environments: Pick<WorkspaceEnvironments, "of">,
  ) {
    super();
    this.own(vscode.languages.registerHoverProvider(payloadLanguages, this));
  }

  /** Explains the placeholder at a position. */
  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    const environment = await this.environmentAt(document, position);
    if (environment.kind === "none") return undefined;
    const at = document.offsetAt(position);
    const found = findPlaceholders(document.getText(), environment.declared).find(
      ({ start, end }) => start <= at && at < end,
    );
    if (found === undefined) return undefined;
    const text = markdownText(placeholderText(found.name, environment, hostLanguage()));
    return new vscode.Hover(new vscode.MarkdownString(text), rangeIn(document, found));
  }

  /** Lists the names for the placeholder that is being typed at a position; undefined without one. */
  async complete(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.CompletionItem[] | undefined> {
    const range = unfinishedPlaceholder(document.getText(), document.offsetAt(position));
    if (range === undefined) return undefined;
    const environment = await this.environmentAt(document, position);
    const offered = proposedNames(environment, hostLanguage());
    const replacing = rangeIn(document, range);
    const inserting = new vscode.Range(replacing.start, position);
    return offered.map(({ name, description }) => {
      const text = `{{${name}}}`;
      const item = new vscode.CompletionItem(text, vscode.CompletionItemKind.Variable);
      return Object.assign(item, {
        detail: description,
        filterText: text,
        range: { inserting, replacing },
      });
    });
  }

  /** Returns the environment of the payload around a position; none without a payload. */
  private async environmentAt(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<PayloadEnvironment> {
    const at = document.offsetAt(position);
    const isPayload =
      this.checks.find(document) !== undefined ||
      (isSuiteFile(document.uri.path) &&
        suiteParts(document.getText()).payloads.some(({ start, end }) => start <= at && at <= end));
    return isPayload ? this.environments.of(document.uri) : noEnvironment;
  }
}
