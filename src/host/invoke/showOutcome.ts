import * as vscode from "vscode";
import { endNotice } from "../../core/invocation/outcomeNotice";
import { type Stop, stopNotice } from "../../core/invocation/permission/question";
import { endSummary } from "../../core/invocation/record/invocationLabels";
import type {
  EndedInvocation,
  InvocationRecord,
} from "../../core/invocation/record/invocationRecord";
import { type RemedyName, remedyNames } from "../../core/project/gateway/codes";
import type { WebPage } from "../../core/registry/webPages";
import { Timer } from "../../registry/wait";
import type { OutputDocuments } from "../audit/outputDocuments";
import type { ConnectedRegistry } from "../connect/registryConnection";
import { openRegistryPage, registryPage } from "../connect/withRegistry";
import { isResultTab } from "../editorColumn";
import { hostLanguage } from "../ui/hostLanguage";
import { inform, showStatus } from "../ui/messages";
import type { OutputChannels } from "../ui/outputChannels";
import { type NoticeEffects, showNotice } from "../ui/showNotice";

const defaultWaitSeconds = 60;

/** The effects of the buttons of an invocation's notices. `sendWhenAllowed` gets the remaining seconds. */
type InvocationEffects = Omit<NoticeEffects, "sendWhenAllowed"> & {
  readonly sendWhenAllowed?: (seconds: number) => Promise<void>;
};

/** Further effects of an invocation that was sent. */
export type OutcomeEffects = InvocationEffects & {
  readonly registry: ConnectedRegistry;
  /** The slug of this workspace's project at the registry; undefined for none. */
  readonly project: string | undefined;
  /** Changes the project so that it no longer blocks the invocation. */
  readonly runRemedy: (remedy: RemedyName) => unknown;
};

/**
 * Shows the outcome of an invocation: a success in the status bar, any other in a notice with actions through `notify`.
 */
export function showOutcome(
  ended: EndedInvocation,
  { registry, project, runRemedy, ...effects }: OutcomeEffects,
  notify = showNotice,
): void {
  const { record, waitSeconds } = ended;
  const notice = endNotice(ended, hostLanguage());
  // Shown beside a notice too, since the status bar would keep an earlier success.
  const summary = endSummary(record, hostLanguage());
  showStatus("", summary);
  if (notice === undefined) {
    // Screen readers do not read the status bar.
    if (hasScreenReader()) void inform(summary);
    return;
  }
  // If the project is known, open its page, where an owner changes limits and policies.
  const page: WebPage =
    project === undefined
      ? { kind: "skill", slug: record.skillSlug }
      : { kind: "project", slug: project };
  void notify(notice, {
    ...whileShown(effects, waitSeconds || defaultWaitSeconds),
    ...Object.fromEntries(remedyNames.map((remedy) => [remedy, () => runRemedy(remedy)])),
    // A registry on this machine may have no page to open.
    ...(registryPage(registry, page) && { openRegistry: () => openRegistryPage(registry, page) }),
  });
}

/** Shows through `notify` why nothing was sent, unless that was the user's own decision. */
export function showStop(
  skill: string,
  stop: Stop,
  effects: InvocationEffects,
  notify = showNotice,
): void {
  const notice = stopNotice(skill, stop, hostLanguage());
  if (notice === undefined) return;
  const question = stop.kind === "declined" ? stop.question : undefined;
  const seconds = question?.kind === "rateLimit" ? question.seconds : 0;
  void notify(notice, { ...whileShown(effects, seconds), drop: () => undefined });
}

/** Counts down the rate limit's wait of `seconds` while a notice is visible. */
function whileShown(
  { sendWhenAllowed, ...effects }: InvocationEffects,
  seconds: number,
): NoticeEffects {
  if (sendWhenAllowed === undefined) return effects;
  const shownAt = performance.now();
  const remaining = () => Math.max(0, Math.ceil(seconds - (performance.now() - shownAt) / 1000));
  return { ...effects, sendWhenAllowed: () => sendWhenAllowed(remaining()) };
}

/**
 * Returns whether the editor is configured for a screen reader. Extensions cannot know whether the editor detected one.
 */
function hasScreenReader(): boolean {
  return vscode.workspace.getConfiguration("editor").get("accessibilitySupport") === "on";
}

const quietMs = 500;

/** Shows the latest result in one editor beside its payload: the next result replaces it. */
export class ResultEditor {
  /** The latest result while its tab is open. */
  private latest: vscode.Uri | undefined;
  /**
   * The document to show next. It waits for `opening`, since the editor may drop one of two documents that open at
   * once.
   */
  private wanted: vscode.Uri | undefined;
  private opening: Promise<void> = Promise.resolve();
  private readonly starting = new Timer();

  constructor(
    private readonly outputs: OutputDocuments,
    private readonly channels: OutputChannels,
  ) {}

  /**
   * Shows that an invocation is running, in place of an earlier result. If it ends within half a second, its own result
   * replaces the earlier one directly.
   */
  start(record: InvocationRecord, payload: vscode.Uri): void {
    this.starting.after(quietMs, () => this.show(record, undefined, payload));
  }

  /**
   * Shows the outcome of an invocation from its first line, without taking the focus. Without an output (undefined), a
   * notice describes the outcome; the editor then shows it only to replace an earlier result, which could be mistaken
   * for the new one. Never rejects.
   */
  async show(
    record: InvocationRecord,
    output: string | undefined,
    payload: vscode.Uri,
  ): Promise<void> {
    this.starting.dispose();
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
    if (before === undefined || before.isPinned || isKeptOrReplaced(before, viewColumn)) return;
    // The user may have closed it since.
    await vscode.window.tabGroups.close(before, true).then(undefined, () => undefined);
  }

  /**
   * Opens a document. Tries a second time, since another document that opens at the same time may replace it. If both
   * fail, the result is still in the record.
   */
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
 * Returns whether to leave a tab open. With previews, a tab that is no preview was kept by the user, and a preview in
 * `column` is replaced by the next one. Without previews, every tab is closed.
 */
function isKeptOrReplaced(tab: vscode.Tab, column: vscode.ViewColumn): boolean {
  const hasPreviews = vscode.workspace
    .getConfiguration("workbench.editor")
    .get<boolean>("enablePreview", true);
  return hasPreviews && (!tab.isPreview || tab.group.viewColumn === column);
}

/** Returns the tab of the latest result, else that of a result from an earlier window. */
function resultTab(latest: vscode.Uri | undefined): vscode.Tab | undefined {
  const results = vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter(isResultTab);
  const address = latest?.toString();
  return (
    results.find(({ input }) => (input as vscode.TabInputText).uri.toString() === address) ??
    results.find(({ isPreview }) => isPreview)
  );
}

/**
 * Returns the column of the earlier result, unless the payload is visible there. Otherwise returns the column after the
 * payload's, or the one before it if the payload is in the last column.
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
