import * as vscode from "vscode";
import {
  type FixAll,
  type FixesResult,
  foldedFixes,
  maxOfferedValues,
  type PayloadFix,
} from "../../core/payload/fixes/payloadFix";
import type { PayloadCheck, PayloadProblem } from "../../core/payload/payloadCheck";
import { movedProblem } from "../../core/suite/suiteText";
import { localize } from "../../core/text/language";
import { labelText } from "../../core/text/plainText";
import type { CheckedPart, EmbeddedPayloads } from "../embeddedPayloads";
import { connectActions } from "../environments/connectActions";
import type { WorkspaceEnvironments } from "../environments/workspaceEnvironments";
import { commandIds, editorCommandIds } from "../ids";
import { codeAction, rangeIn, workspaceEdit } from "../marks";
import { hostLanguage } from "../ui/hostLanguage";
import { inform } from "../ui/messages";
import { Owner } from "../ui/owner";
import { choose } from "../ui/quickInput/choose";
import { unlessCancelled } from "../ui/wait";
import { payloadLanguages } from "./payloadBindings";
import type { LazyLanguageClient, PayloadChecks } from "./payloadChecks";
import { marksSameError } from "./payloadDiagnostics";
import { indentFor, payloadDocument, showDocument } from "./payloadDocument";

const fixAllKind = vscode.CodeActionKind.SourceFixAll.append("skillRegistry");

/** The fixes found so far for one check: by the problem's index, and all together. */
interface KnownFixes {
  readonly each: Map<number, readonly PayloadFix[]>;
  all?: FixAll;
}

/** Offers fixes for the problems of a payload, one by one, and all unambiguous ones together. */
export class PayloadFixActions extends Owner implements vscode.CodeActionProvider {
  private readonly known = new WeakMap<PayloadCheck, KnownFixes>();

  constructor(
    private readonly language: LazyLanguageClient,
    private readonly checks: PayloadChecks,
    /** Finds the payloads inside other documents. */
    private readonly others: Pick<EmbeddedPayloads, "checkedAt">,
    private readonly environments: Pick<WorkspaceEnvironments, "list" | "place">,
  ) {
    super();
    this.own(
      vscode.languages.registerCodeActionsProvider(payloadLanguages, this, {
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix, fixAllKind],
      }),
    );
  }

  async provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    context: vscode.CodeActionContext,
    token: vscode.CancellationToken,
  ): Promise<vscode.CodeAction[]> {
    const wantsAll = context.only?.contains(fixAllKind) ?? false;
    const wantsFixes =
      context.only === undefined || context.only.contains(vscode.CodeActionKind.QuickFix);
    if (!wantsAll && !wantsFixes) return [];
    if (wantsFixes && this.isSkillMissing(document)) return this.bindActions(document, context);
    const checked =
      (await this.newestCheck(document, wantsAll)) ?? this.checkInOther(document, range.start);
    if (checked === undefined) return [];
    const { from } = checked;
    const problems = checked.check.problems.map((problem) => movedProblem(problem, from));
    const here = [...problems.entries()].filter(([, problem]) => {
      const isHere = rangeIn(document, problem.mark ?? problem).intersection(range) !== undefined;
      return isHere || marksSameError(context.diagnostics, document, problem);
    });
    if (!wantsAll && here.length === 0) return [];
    const needsAll = wantsAll || problems.length > 1;
    const wanted = wantsAll ? [] : here.map(([index]) => index);
    const found = await this.find(checked, wanted, needsAll, token);
    if (found === undefined) return [];
    if (wantsAll) return fixAllActions(checked, found.all, fixAllKind);
    const shown = here.map(([, problem]) => diagnosticsOf(document, problem, context));
    const actions = [
      ...foldedFixes(found.fixes).map(({ fix, of }) =>
        actionOf(checked, fix, [...new Set(of.flatMap((at) => shown[at] ?? []))]),
      ),
      ...here.flatMap(([, problem], at) => choiceActions(document, problem, shown[at] ?? [])),
    ];
    if (!needsAll) return actions;
    return [...actions, ...fixAllActions(checked, found.all, vscode.CodeActionKind.QuickFix)];
  }

  /** Offers to connect where the skill may be, or to bind the payload to another skill. */
  private async bindActions(
    document: vscode.TextDocument,
    { diagnostics }: vscode.CodeActionContext,
  ): Promise<vscode.CodeAction[]> {
    const unchecked = diagnostics.filter(({ code }) => code === "unchecked");
    if (unchecked.length === 0) return [];
    const title = vscode.l10n.t("Bind to Another Skill…");
    const command = { title, command: commandIds.bindPayload, arguments: [document.uri] };
    const connecting = await connectActions(this.environments, unchecked);
    const isPreferred = connecting.length === 0;
    return [...connecting, codeAction(title, { command, diagnostics: unchecked, isPreferred })];
  }

  private isSkillMissing(document: vscode.TextDocument): boolean {
    const state = this.checks.find(document)?.state;
    return state?.kind === "unavailable" && state.failure.kind === "notFound";
  }

  /** Returns the check of the current text. A save waits for it; the light bulb does not. */
  private async newestCheck(
    document: vscode.TextDocument,
    waits: boolean,
  ): Promise<DocumentCheck | undefined> {
    const known = this.checks.find(document);
    if (known === undefined) return undefined;
    const text = document.getText();
    const isNewest = known.text === text && known.state.kind === "checked";
    const newest = isNewest || !waits ? known : await this.checks.check(document);
    if (newest?.text !== text || newest.state.kind !== "checked") return undefined;
    const { skill, check } = newest.state;
    const { inputSchema: schema } = skill;
    return { document, from: 0, text, indent: indentFor(document.uri), schema, check };
  }

  private checkInOther(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): DocumentCheck | undefined {
    const part = this.others.checkedAt(document, document.offsetAt(position));
    return part && { ...part, document, indent: indentFor(document.uri) };
  }

  /** Requests the missing fixes of a check from the thread. Undefined if the editor canceled. */
  private async find(
    { text, indent, schema, check }: DocumentCheck,
    wanted: readonly number[],
    wantsAll: boolean,
    token: vscode.CancellationToken,
  ): Promise<FixesResult | undefined> {
    const known: KnownFixes = this.known.get(check) ?? { each: new Map() };
    this.known.set(check, known);
    const missing = wanted.filter((index) => !known.each.has(index));
    const missesAll = wantsAll && known.all === undefined;
    if (missing.length > 0 || missesAll) {
      const { problems } = check;
      const asked = { text, problems, indexes: missing, indent, includesAll: missesAll };
      const client = await this.language.get();
      const found = await unlessCancelled(token, (signal) =>
        client.fixes(schema ?? true, asked, signal),
      );
      if (found === undefined) return undefined;
      for (const [at, index] of missing.entries()) known.each.set(index, found.fixes[at] ?? []);
      if (missesAll) known.all = found.all;
    }
    const fixes = wanted.map((index) => known.each.get(index) ?? []);
    return { fixes, all: known.all ?? { edits: [], count: 0 } };
  }
}

/** A payload that was checked: a document, or a part of one that starts at the offset `from`. */
interface DocumentCheck extends CheckedPart {
  readonly document: vscode.TextDocument;
  readonly indent: string;
}

/** Lists the shown diagnostics of a problem. */
function diagnosticsOf(
  document: vscode.TextDocument,
  problem: PayloadProblem,
  { diagnostics }: vscode.CodeActionContext,
): vscode.Diagnostic[] {
  const mark = rangeIn(document, problem.mark ?? problem);
  return diagnostics.filter(
    (shown) =>
      (shown.code === problem.code && shown.range.isEqual(mark)) ||
      marksSameError([shown], document, problem),
  );
}

/** Offers a list of the allowed values if they are too many for a menu. */
function choiceActions(
  document: vscode.TextDocument,
  problem: PayloadProblem,
  diagnostics: vscode.Diagnostic[],
): vscode.CodeAction[] {
  const { data } = problem;
  if (data?.kind !== "allowedValues" || data.total <= maxOfferedValues) return [];
  const title = vscode.l10n.t("Choose an allowed value…");
  const given = [document.uri, rangeIn(document, problem), data.values];
  const command = { title, command: editorCommandIds.chooseValue, arguments: given };
  return [codeAction(title, { command, diagnostics })];
}

function actionOf(
  { document, from }: DocumentCheck,
  { title, edits, isPreferred }: PayloadFix,
  diagnostics: vscode.Diagnostic[],
): vscode.CodeAction {
  const edit = workspaceEdit(document, edits, from);
  return codeAction(labelText(localize(title, hostLanguage())), { edit, diagnostics, isPreferred });
}

function fixAllActions(
  { document, from }: DocumentCheck,
  { edits, count }: FixAll,
  kind: vscode.CodeActionKind,
): vscode.CodeAction[] {
  if (edits.length === 0 || (count < 2 && kind !== fixAllKind)) return [];
  const edit = workspaceEdit(document, edits, from);
  return [codeAction(vscode.l10n.t("Fix all auto-fixable problems"), { edit }, kind)];
}

/**
 * Lets the user choose one of many allowed values (JSON texts) and replaces a range with it. Ignores arguments that no
 * quick fix passes. Also ignores a text that changed meanwhile, whose range may differ.
 */
export async function chooseValue(uri: unknown, range: unknown, values: unknown): Promise<void> {
  const document = uri instanceof vscode.Uri ? payloadDocument(uri) : undefined;
  if (document === undefined || !(range instanceof vscode.Range) || !Array.isArray(values)) return;
  const texts = values.filter((value) => typeof value === "string");
  const { version } = document;
  const chosen = await choose(
    texts.map((text) => ({ label: text, value: text })),
    { title: vscode.l10n.t("Choose an Allowed Value"), closesOnBlur: true },
  );
  if (chosen === undefined) return;
  if (document.isClosed || document.version !== version) {
    void inform(
      vscode.l10n.t("The payload changed in the meantime, so nothing was written. Choose again."),
    );
    return;
  }
  const editor = await showDocument(document);
  await editor.edit((edit) => edit.replace(range, chosen));
}
