import * as vscode from "vscode";
import { invocationFacts } from "../../core/payload/invocationFacts";
import type { PayloadBinding } from "../../core/payload/payloadBinding";
import { moreTitle, newsTitle } from "../../core/payload/versionNews";
import {
  type CallabilityFacts,
  describeCallability,
} from "../../core/skill/description/callability";
import { addressText } from "../../core/skill/skillAddress";
import { labelText } from "../../core/text/plainText";
import { commandIds, editorCommandIds } from "../ids";
import type { TestRunOffer } from "../invoke/invocationTarget";
import type { RunningInvocations } from "../invoke/runningInvocations";
import { hostLanguage } from "../ui/hostLanguage";
import { Owner } from "../ui/owner";
import { type ChoiceRow, choose } from "../ui/quickInput/choose";
import { type PayloadBindings, payloadLanguages } from "./payloadBindings";
import type { PayloadChecks } from "./payloadChecks";
import { payloadDocument } from "./payloadDocument";
import type { PayloadVersions } from "./payloadVersions";

/** What the actions of a payload depend on. */
export interface PayloadActionParts {
  readonly bindings: PayloadBindings;
  readonly checks: PayloadChecks;
  readonly versions: PayloadVersions;
  readonly running: RunningInvocations;
  readonly testRuns: TestRunOffer;
  /** What is known about running skills here, and when it changes. */
  readonly callability: {
    readonly facts: (slug: string) => Promise<CallabilityFacts>;
    readonly onDidChange: vscode.Event<void>;
  };
}

/**
 * Shows two lenses above the first line of a payload: one invokes the skill, or cancels that, and says what it costs
 * and what hinders it; the other lets the user choose among all further actions. A row of all of them hid what
 * matters, and did not fit beside a result.
 */
export class PayloadActions extends Owner implements vscode.CodeLensProvider {
  private readonly changed = this.own(new vscode.EventEmitter<void>());

  readonly onDidChangeCodeLenses = this.changed.event;

  constructor(private readonly parts: PayloadActionParts) {
    super();
    const { bindings, checks, versions, running, callability } = parts;
    const draw = () => this.changed.fire();
    this.own(
      vscode.languages.registerCodeLensProvider(payloadLanguages, this),
      vscode.commands.registerCommand(editorCommandIds.choosePayloadAction, (uri) =>
        this.choose(uri),
      ),
      bindings.onDidChange(draw),
      checks.onDidChange(draw),
      versions.onDidChange(draw),
      running.onDidChange(draw),
      callability.onDidChange(draw),
    );
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const { uri } = document;
    const binding = this.parts.bindings.find(uri);
    if (binding === undefined) return [];
    const title = moreTitle(this.parts.versions.find(document), hostLanguage());
    const more = { title, command: editorCommandIds.choosePayloadAction };
    return [await this.invokeAction(document, binding), more].map(
      (command) =>
        new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { ...command, arguments: [uri] }),
    );
  }

  private async invokeAction(
    document: vscode.TextDocument,
    { slug, version }: PayloadBinding,
  ): Promise<vscode.Command> {
    if (this.parts.running.find(document.uri) !== undefined) {
      return { title: `■ ${vscode.l10n.t("Cancel")}`, command: commandIds.cancelInvocation };
    }
    const skill = labelText(addressText(slug, version), 80);
    const facts = await this.factsOf(document, slug);
    const title = [vscode.l10n.t("Invoke {0}", skill), ...facts.map((fact) => labelText(fact))];
    return {
      title: `▷ ${title.join(" · ")}`,
      command: commandIds.invoke,
      tooltip: facts.join("\n"),
    };
  }

  private async factsOf(document: vscode.TextDocument, slug: string): Promise<readonly string[]> {
    const state = this.parts.checks.find(document)?.state;
    if (state?.kind !== "checked") return [];
    const known = await this.parts.callability.facts(slug);
    const language = hostLanguage();
    return invocationFacts(
      state.skill,
      describeCallability(state.skill, known, language),
      language,
    );
  }

  private async choose(uri: unknown): Promise<void> {
    const document = uri instanceof vscode.Uri ? payloadDocument(uri) : undefined;
    const binding = document && this.parts.bindings.find(document.uri);
    if (document === undefined || binding === undefined) return;
    const title = vscode.l10n.t("Payload for {0}", binding.slug);
    const run = await choose(this.rows(document, binding), { title });
    await run?.();
  }

  private rows(
    document: vscode.TextDocument,
    { slug }: PayloadBinding,
  ): readonly ChoiceRow<() => Thenable<unknown>>[] {
    const { versions, running, testRuns, checks } = this.parts;
    const news = versions.find(document);
    const state = checks.find(document)?.state;
    const canTest = testRuns.isOffered && running.find(document.uri) === undefined;
    const hasExamples = state?.kind === "checked" && state.skill.examples.length > 0;
    const row = (
      label: string,
      icon: string,
      command: string,
      argument: unknown = document.uri,
    ) => ({
      label,
      icon,
      value: () => vscode.commands.executeCommand(command, argument),
    });
    return [
      ...(news === undefined
        ? []
        : [row(newsTitle(news, hostLanguage()), "versions", editorCommandIds.showVersionNews)]),
      ...(canTest ? [row(vscode.l10n.t("Test Run"), "beaker", commandIds.testRun)] : []),
      row(vscode.l10n.t("Validate"), "pass", commandIds.validatePayload),
      row(vscode.l10n.t("View Skill"), "book", commandIds.openSkill, slug),
      ...(hasExamples ? [row(vscode.l10n.t("Examples"), "lightbulb", commandIds.fillPayload)] : []),
      row(vscode.l10n.t("Copy Link"), "link", editorCommandIds.copyPayloadLink),
      row(vscode.l10n.t("New Payload"), "new-file", commandIds.newPayload, slug),
      row(vscode.l10n.t("Change Skill"), "arrow-swap", commandIds.bindPayload),
    ];
  }
}
