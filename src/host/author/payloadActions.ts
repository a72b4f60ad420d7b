import * as vscode from "vscode";
import { sentValuesText } from "../../core/environment/placeholderText";
import { describeCallability } from "../../core/invocation/permission/callability";
import type { CallabilityFacts } from "../../core/invocation/permission/callabilityFacts";
import { type InvocationFacts, invocationFacts } from "../../core/payload/invocationFacts";
import type { PayloadBinding } from "../../core/payload/payloadBinding";
import { moreTitle, newsTitle } from "../../core/payload/versionNews";
import { addressText } from "../../core/skill/skillAddress";
import { labelText } from "../../core/text/plainText";
import { shortPlace, type WindowPlace } from "../environments/windowPlace";
import { commandIds, editorCommandIds } from "../ids";
import type { TestRunOffer } from "../invoke/invocationTarget";
import type { RunningInvocations } from "../invoke/runningInvocations";
import { Lenses } from "../ui/documents";
import { hostLanguage } from "../ui/hostLanguage";
import { type ChoiceRow, choose } from "../ui/quickInput/choose";
import { type PayloadBindings, payloadLanguages } from "./payloadBindings";
import { addressOfChecked, type CheckedPayload, type PayloadChecks } from "./payloadChecks";
import { payloadDocument } from "./payloadDocument";
import type { PayloadVersions } from "./payloadVersions";

/** The dependencies of a payload's actions. */
export interface PayloadActionParts {
  readonly bindings: PayloadBindings;
  readonly checks: PayloadChecks;
  readonly versions: PayloadVersions;
  readonly running: RunningInvocations;
  readonly testRuns: TestRunOffer;
  readonly place: Pick<WindowPlace, "address" | "environment" | "onDidChange">;
  /** Facts about running skills here, and an event when they change. */
  readonly callability: {
    readonly facts: (slug: string) => Promise<CallabilityFacts>;
    readonly onDidChange: vscode.Event<void>;
  };
}

/**
 * Shows lenses above the first line of a payload. The first invokes the skill, with its cost, or cancels the
 * invocation. The second lists all further actions; a lens for each would not fit beside a result. The third names the
 * payload's target and the number of values, unless the target is the built-in registry. Obstacles come last, since
 * they may be longer than the line.
 */
export class PayloadActions extends Lenses {
  constructor(private readonly parts: PayloadActionParts) {
    super();
    const { bindings, checks, versions, running, callability, place } = parts;
    const draw = () => void this.draw();
    this.own(
      vscode.languages.registerCodeLensProvider(payloadLanguages, this),
      vscode.commands.registerCommand(editorCommandIds.choosePayloadAction, (uri) =>
        this.choose(uri),
      ),
      bindings.onDidChange(draw),
      checks.onDidChange(draw),
      versions.onDidChange(draw),
      running.onDidChange(draw),
      place.onDidChange(draw),
      callability.onDidChange(draw),
    );
  }

  protected async lensesOf(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const { uri } = document;
    const binding = this.parts.bindings.find(uri);
    if (binding === undefined) return [];
    const title = moreTitle(this.parts.versions.find(document), hostLanguage());
    const more = { title, command: editorCommandIds.choosePayloadAction };
    const isRunning = this.parts.running.find(uri) !== undefined;
    const facts = isRunning ? undefined : await this.factsOf(document, binding.slug);
    const checked = this.parts.checks.find(document);
    const address = checked === undefined ? binding : addressOfChecked(checked);
    const first = isRunning
      ? { title: `■ ${vscode.l10n.t("Cancel")}`, command: commandIds.cancelInvocation }
      : invokeAction(address, facts);
    return [
      lensOf({ ...first, arguments: [uri] }),
      lensOf({ ...more, arguments: [uri] }),
      ...targetLenses(uri, checked, this.parts.place),
      ...obstacleLens(address, facts),
    ];
  }

  private async factsOf(
    document: vscode.TextDocument,
    slug: string,
  ): Promise<InvocationFacts | undefined> {
    const state = this.parts.checks.find(document)?.state;
    if (state?.kind !== "checked") return undefined;
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
    const checked = checks.find(document);
    const state = checked?.state;
    const hasValues = checked?.resolution?.ok === true && checked.resolution.value.written;
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
      ...(hasValues
        ? [row(vscode.l10n.t("Show What Is Sent"), "preview", editorCommandIds.showSent)]
        : []),
      row(vscode.l10n.t("Edit as Form"), "checklist", commandIds.editAsForm),
      row(vscode.l10n.t("Open Skill"), "book", commandIds.openSkill, slug),
      ...(hasExamples ? [row(vscode.l10n.t("Examples"), "lightbulb", commandIds.fillPayload)] : []),
      row(vscode.l10n.t("Copy Link"), "link", editorCommandIds.copyPayloadLink),
      row(vscode.l10n.t("New Payload"), "new-file", commandIds.newPayload, slug),
      row(vscode.l10n.t("Bind to Another Skill…"), "arrow-swap", commandIds.bindPayload),
    ];
  }
}

function lensOf(command: vscode.Command): vscode.CodeLens {
  return new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), command);
}

function invokeAction(
  { slug, version }: PayloadBinding,
  facts: InvocationFacts | undefined,
): vscode.Command {
  const invoke = vscode.l10n.t("Invoke {0}", labelText(addressText(slug, version), 80));
  const price = labelText(facts?.price ?? "");
  return {
    title: `▷ ${[invoke, price].filter((text) => text !== "").join(" · ")}`,
    command: commandIds.invoke,
    tooltip: price,
  };
}

/**
 * Shows the destination of a payload; a click lets the user choose another registry. Beside it, shows the number of
 * environment values; a click shows the text that is sent.
 */
function targetLenses(
  uri: vscode.Uri,
  checked: CheckedPayload | undefined,
  place: Pick<WindowPlace, "address" | "environment">,
): readonly vscode.CodeLens[] {
  const resolution = checked?.resolution;
  const values = resolution?.ok ? sentValuesText(resolution.value, hostLanguage()) : "";
  const connect = { tooltip: vscode.l10n.t("Connect to Registry…"), command: commandIds.connect };
  const show = { tooltip: vscode.l10n.t("Show What Is Sent"), command: editorCommandIds.showSent };
  const lenses = [
    { title: labelText(shortPlace(place), 80), ...connect },
    { title: values, ...show, arguments: [uri] },
  ];
  return lenses.filter(({ title }) => title !== "").map(lensOf);
}

/**
 * Shows an obstacle to invoking the skill. A click opens the skill's page, which shows remedies, in the payload's
 * version.
 */
function obstacleLens(
  { slug, version }: PayloadBinding,
  facts: InvocationFacts | undefined,
): readonly vscode.CodeLens[] {
  if (facts === undefined || facts.obstacle === "") return [];
  const title = labelText(facts.obstacle);
  const page = addressText(slug, version);
  return [lensOf({ title, tooltip: title, command: commandIds.openSkill, arguments: [page] })];
}
