import * as vscode from "vscode";
import type { InvocationRecord } from "../../core/invocation/record/invocationRecord";
import type { OutputDocuments } from "../audit/outputDocuments";
import { outputScheme } from "../ids";
import type { OutputChannels } from "../messages/outputChannels";

const quietMs = 500;

/** Shows the latest result in one editor beside its payload: the next result takes its place. */
export class ResultEditor {
  /** The latest result, as long as its tab is open. */
  private latest: vscode.Uri | undefined;
  /** What is to be shown by now, and the opening under way before it: of two at once the editor may drop one. */
  private wanted: vscode.Uri | undefined;
  private opening: Promise<void> = Promise.resolve();
  private starting: NodeJS.Timeout | undefined;

  constructor(
    private readonly outputs: OutputDocuments,
    private readonly channels: OutputChannels,
  ) {}

  /**
   * Says that an invocation is running where an earlier result would stand there meanwhile. One that ends within
   * half a second takes its place by itself.
   */
  start(record: InvocationRecord, payload: vscode.Uri): void {
    clearTimeout(this.starting);
    this.starting = setTimeout(() => void this.show(record, undefined, payload), quietMs);
  }

  /**
   * Shows what became of an invocation, from its first line, and leaves the focus where it is. Without an output
   * (undefined) the notice says it, and the editor shows it only where an earlier result would stand there
   * as if it were this one. Never rejects.
   */
  async show(
    record: InvocationRecord,
    output: string | undefined,
    payload: vscode.Uri,
  ): Promise<void> {
    clearTimeout(this.starting);
    const uri = this.outputs.remember(record, output);
    this.wanted = uri;
    this.opening = this.opening.then(async () => {
      if (this.wanted === uri) await this.open(uri, output !== undefined, payload);
    });
    await this.opening;
  }

  private async open(uri: vscode.Uri, hasOutput: boolean, payload: vscode.Uri): Promise<void> {
    const before = resultTab(this.latest);
    if (before === undefined && !hasOutput) return;
    this.latest = uri;
    const viewColumn = columnFor(before, payload);
    if (!(await this.openIn(viewColumn, uri))) return;
    const isKept = before?.isPinned === true || isKeptOrReplaced(before, viewColumn);
    if (before === undefined || isKept) return;
    // The user may have closed it meanwhile.
    await vscode.window.tabGroups.close(before, true).then(undefined, () => undefined);
  }

  /** Opens a document once more where another that opened meanwhile took its place. The record has it in any case. */
  private async openIn(viewColumn: vscode.ViewColumn, uri: vscode.Uri): Promise<boolean> {
    for (let tries = 0; tries < 2; tries += 1) {
      try {
        const options = { viewColumn, preserveFocus: true, preview: true };
        await vscode.window.showTextDocument(uri, options);
        return true;
      } catch (error) {
        this.channels.noteFailure(`A result could not be shown: ${String(error)}`);
      }
    }
    return false;
  }
}

/**
 * A preview gives way by itself to one in its column, and a tab that is none was kept by the user; without
 * previews only a pinned tab is kept.
 */
function isKeptOrReplaced(tab: vscode.Tab | undefined, column: vscode.ViewColumn): boolean {
  const hasPreviews = vscode.workspace
    .getConfiguration("workbench.editor")
    .get<boolean>("enablePreview", true);
  if (tab === undefined || !hasPreviews) return false;
  return !tab.isPreview || tab.group.viewColumn === column;
}

/** The tab of the latest result, else of one that an earlier window left open. */
function resultTab(latest: vscode.Uri | undefined): vscode.Tab | undefined {
  const results = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(({ input }) => input instanceof vscode.TabInputText && isResult(input.uri));
  const address = latest?.toString();
  return (
    results.find(({ input }) => (input as vscode.TabInputText).uri.toString() === address) ??
    results.find(({ isPreview }) => isPreview)
  );
}

function isResult({ scheme, query }: vscode.Uri): boolean {
  return scheme === outputScheme && query === "";
}

/**
 * The column of the earlier result, unless the payload is shown there; then, as without one, the column after the
 * payload's, or the one before where none is after it.
 */
function columnFor(before: vscode.Tab | undefined, payload: vscode.Uri): vscode.ViewColumn {
  const { all } = vscode.window.tabGroups;
  const address = payload.toString();
  const shown = all.find(({ activeTab }) => {
    const input = activeTab?.input;
    return input instanceof vscode.TabInputText && input.uri.toString() === address;
  })?.viewColumn;
  if (before !== undefined && before.group.viewColumn !== shown) return before.group.viewColumn;
  if (shown === undefined) return vscode.ViewColumn.Beside;
  return shown === all.length && all.length > 1 ? shown - 1 : shown + 1;
}
