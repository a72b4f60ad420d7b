import * as vscode from "vscode";
import { lineStartsOf, positionsIn } from "../../../core/payload/payloadCheck";
import { maxTeamFileBytes } from "../../../core/review/files/reviewFolder";
import {
  outputNameRange,
  removeOutputEdit,
  renameOutputEdit,
} from "../../../core/suite/names/renameCase";
import {
  isSuiteFile,
  type OrphanedOutput,
  orphanedOutputs,
  orphanedOutputText,
  readSnapshots,
  snapshotEnding,
  suiteEnding,
} from "../../../core/suite/suite";
import { oneLine, revealHidden } from "../../../core/text/plainText";
import { isWorkingCopy } from "../../author/payloadBindings";
import { diagnosticSource, snapshotFilePattern } from "../../ids";
import { codeAction, mark, rangeAt, rangeIn, workspaceEdit } from "../../marks";
import { hostLanguage } from "../../ui/hostLanguage";
import { Owner } from "../../ui/owner";
import { LatestRequest, unlessAborted } from "../../ui/wait";
import { readEditedFile } from "../../workspaceFile";
import { readSuiteFile, snapshotFile } from "../suiteFiles";

/** The code of a finding about an output of no case, the same as in a terminal. */
const orphanCode = "orphan";

/**
 * Marks the stored outputs that belong to no case, in their file, while that file or its suite is open. Offers to
 * rename such an output to its case, and to remove it.
 */
export class OrphanedOutputs extends Owner implements vscode.CodeActionProvider {
  private readonly collection = this.own(
    vscode.languages.createDiagnosticCollection(`${diagnosticSource}-outputs`),
  );
  private readonly running = new Map<string, LatestRequest>();

  constructor() {
    super();
    const { workspace, languages } = vscode;
    const look = ({ uri }: Pick<vscode.TextDocument, "uri">) => void this.look(uri);
    const watcher = this.own(workspace.createFileSystemWatcher(snapshotFilePattern));
    this.own(
      workspace.onDidOpenTextDocument(look),
      workspace.onDidChangeTextDocument(({ document }) => look(document)),
      workspace.onDidCloseTextDocument(look),
      watcher.onDidCreate((uri) => this.look(uri)),
      watcher.onDidChange((uri) => this.look(uri)),
      watcher.onDidDelete((uri) => this.look(uri)),
      languages.registerCodeActionsProvider({ pattern: snapshotFilePattern }, this, {
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
      }),
    );
    for (const document of workspace.textDocuments) look(document);
  }

  async provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): Promise<vscode.CodeAction[]> {
    const marked = diagnostics.filter(({ code }) => code === orphanCode);
    const suite = suiteOf(document.uri);
    if (marked.length === 0 || suite === undefined) return [];
    const text = document.getText();
    return (await orphansOf(suite, text)).flatMap(({ name, renamedTo }) => {
      const range = outputNameRange(text, name);
      const found = range && rangeIn(document, range);
      const own = marked.filter((item) => found?.isEqual(item.range));
      const removal = removeOutputEdit(text, name);
      if (own.length === 0) return [];
      const rename = renamedTo === undefined ? undefined : renameOutputEdit(text, name, renamedTo);
      const actions: vscode.CodeAction[] = [];
      if (renamedTo !== undefined && rename !== undefined) {
        const title = vscode.l10n.t("Rename to “{0}”", oneLine(renamedTo, 80));
        const edit = workspaceEdit(document, [rename]);
        actions.push(codeAction(title, { edit, diagnostics: own, isPreferred: true }));
      }
      if (removal !== undefined) {
        const title = vscode.l10n.t("Remove “{0}”", oneLine(name, 80));
        actions.push(
          codeAction(title, { edit: workspaceEdit(document, [removal]), diagnostics: own }),
        );
      }
      return actions;
    });
  }

  private async look(uri: vscode.Uri): Promise<void> {
    const suite = isSuiteFile(uri.path) ? uri : suiteOf(uri);
    if (suite === undefined || !isWorkingCopy(uri)) return;
    const name = suite.toString();
    const latest = this.running.get(name) ?? new LatestRequest();
    this.running.set(name, latest);
    const signal = AbortSignal.any([latest.begin(), this.untilDisposed]);
    await unlessAborted(this.check(suite, signal), signal);
  }

  private async check(suite: vscode.Uri, signal: AbortSignal): Promise<void> {
    const outputs = snapshotFile(suite);
    const isOpen = vscode.workspace.textDocuments.some(
      ({ uri, isClosed }) => !isClosed && [`${suite}`, `${outputs}`].includes(`${uri}`),
    );
    const read = isOpen ? await readEditedFile(outputs, maxTeamFileBytes) : undefined;
    const orphans = read?.kind === "text" ? await orphansOf(suite, read.text) : [];
    if (signal.aborted) return;
    const text = read?.kind === "text" ? read.text : "";
    const lines = lineStartsOf(text);
    const marks = orphans.flatMap((orphan) => {
      const range = outputNameRange(text, orphan.name);
      if (range === undefined) return [];
      const message = revealHidden(oneLine(orphanedOutputText(orphan, hostLanguage()), 500));
      return [mark(rangeAt(positionsIn(lines, range)), message, orphanCode)];
    });
    this.collection.set(outputs, marks);
  }
}

/** Finds the outputs of no case in the text of a suite's outputs. None if one of the two cannot be read. */
async function orphansOf(suite: vscode.Uri, text: string): Promise<readonly OrphanedOutput[]> {
  const outputs = readSnapshots(text);
  const read = (await readSuiteFile(suite))?.read;
  return outputs !== undefined && read?.ok ? orphanedOutputs(read.value, outputs) : [];
}

/** Returns the suite beside a file of stored outputs; undefined for another file. */
function suiteOf(uri: vscode.Uri): vscode.Uri | undefined {
  if (!uri.path.endsWith(snapshotEnding)) return undefined;
  return uri.with({ path: `${uri.path.slice(0, -snapshotEnding.length)}${suiteEnding}` });
}
