import * as vscode from "vscode";
import { type ProjectUsage, projectUsage } from "../../core/invocation/usage/projectUsage";
import { countIn } from "../../core/invocation/usage/usage";
import { timesOf } from "../../core/invocation/usage/usageFilter";
import { localDay } from "../../core/text/dates";
import type { InvocationHistory } from "../../engine/record/invocationHistory";
import { ownRecords } from "../../engine/record/ownRecords";
import { problemOf } from "../../engine/store/storeProblem";
import type { PageHandlers } from "../../protocol/readPageMessage";
import { Timer } from "../../registry/wait";
import { commandIds, pageIds } from "../ids";
import type { PageFrame } from "../inspect/pageFrame";
import { ShownPage } from "../inspect/shownPage";
import { readSettings } from "../settings";
import { hostLanguage } from "../ui/hostLanguage";
import { copyText } from "../ui/messages";
import { Owner } from "../ui/owner";
import { askForFile, writeBytes } from "../ui/saveText";
import { storeProblemText } from "../ui/showNotice";
import { LatestRequest } from "../ui/wait";
import type { CurrentProject } from "../workspace/currentProject";

interface UsagePageParts {
  readonly history: Pick<InvocationHistory, "list" | "sums" | "extent" | "onDidChange">;
  readonly project: Pick<CurrentProject, "state" | "accounts" | "refreshIfOld" | "onDidChange">;
  readonly frame: PageFrame;
}

/** Opens and restores the Usage page: one in each window. */
export class UsagePage implements vscode.WebviewPanelSerializer {
  private view: vscode.WebviewPanel | undefined;

  constructor(private readonly parts: UsagePageParts) {}

  /** Opens the page, or brings it to the front. */
  open(): void {
    if (this.view !== undefined) {
      this.view.reveal();
      return;
    }
    const title = vscode.l10n.t("Usage");
    const column = vscode.ViewColumn.Active;
    this.adopt(
      vscode.window.createWebviewPanel(pageIds.usagePage, title, column, this.parts.frame.options),
    );
  }

  /** Restores the page. The page itself stores the reader's choices. */
  async deserializeWebviewPanel(view: vscode.WebviewPanel): Promise<void> {
    view.webview.options = this.parts.frame.options;
    if (this.view === undefined) this.adopt(view);
    else view.dispose();
  }

  dispose(): void {
    this.view?.dispose();
  }

  private adopt(view: vscode.WebviewPanel): void {
    this.view = view;
    const panel = new UsagePanel(view, this.parts);
    view.onDidDispose(() => {
      panel.dispose();
      this.view = undefined;
    });
  }
}

/** The maximum share of time spent rereading a record that changes constantly. */
const readingShare = 1 / 4;

/** The open page. It follows the record and the project while it is visible. */
class UsagePanel extends Owner {
  private readonly shown: ShownPage;
  private readonly handlers: PageHandlers<"usage"> = {
    readProject: async () => {
      this.needsProject = true;
      await this.parts.project.refreshIfOld();
      await this.showHead();
    },
    readUsage: (days) => {
      this.days = days;
      return this.sendUsage();
    },
    openRecord: async ({ id }) => {
      await vscode.commands.executeCommand(commandIds.openInvocation, { id });
    },
    openPayload: () => vscode.commands.executeCommand(commandIds.openPayload),
    copyTable: ({ text }) => copyText(text, vscode.l10n.t("Copied")),
    saveChart: ({ file, text }) => saveChart(file, text),
  };
  /** The days that the page requested last. */
  private days: { readonly from: string; readonly to: string } | undefined;
  private isReading = false;
  private isOutdated = false;
  private pauseUntil = 0;
  private readonly pauseTimer = this.own(new Timer());
  private needsProject = false;
  private readonly heads = this.own(new LatestRequest());

  constructor(
    view: vscode.WebviewPanel,
    private readonly parts: UsagePageParts,
  ) {
    super();
    const { frame, history, project } = parts;
    this.shown = new ShownPage({
      view,
      frame,
      title: view.title,
      page: usageHead(),
      subject: "usagePage",
      handlers: this.handlers,
      ready: () => void this.showHead(),
    });
    // A hidden page requests everything when it is visible again.
    this.own(
      history.onDidChange(() => {
        if (!view.visible) return;
        this.sendAgain();
        void this.showHead();
        if (this.needsProject) void project.refreshIfOld();
      }),
      project.onDidChange(() => {
        if (!view.visible) return;
        void this.showHead();
        // Another account or registry is in use now.
        if (this.needsProject && project.state.kind === "loading") void project.refreshIfOld();
      }),
    );
  }

  /** Shows the current day, limit and project. */
  private async showHead(): Promise<void> {
    const signal = this.heads.begin();
    const project = await this.projectUsage();
    // A newer call shows a later account, project or record.
    if (signal.aborted) return;
    const head = { ...usageHead(), ...(project !== undefined && { project }) };
    this.shown.show(head);
  }

  /** Reads the project's usage. Undefined, without a request, if nobody is signed in. */
  private async projectUsage(): Promise<ProjectUsage | undefined> {
    const { project, history } = this.parts;
    const isSignedIn = (await project.accounts.inUse()) !== undefined;
    const { state } = project;
    const hasEnded = state.kind === "signedOut" && state.hasEnded;
    if (!isSignedIn && !hasEnded) return undefined;
    const own = await ownRecords(history, state);
    return projectUsage(state, own, Date.now(), hostLanguage());
  }

  /** Sends the current record, after a pause if the last reading was recent and slow. */
  private sendAgain(): void {
    if (this.isReading) this.isOutdated = true;
    else if (!this.pauseTimer.isRunning) {
      const wait = Math.max(0, this.pauseUntil - performance.now());
      this.pauseTimer.after(wait, () => void this.sendUsage());
    }
  }

  /** Sends the invocations of the requested days. A newer request cancels an older one. */
  private async sendUsage(): Promise<void> {
    if (this.days === undefined) return;
    const { history } = this.parts;
    const { from, to } = this.days;
    const signal = this.shown.beginLoad();
    const start = performance.now();
    this.isReading = true;
    const read = await history.sums(timesOf(from, to), true).then(
      (groups) => ({ groups }),
      (error) => ({ groups: [], problem: storeProblemText(problemOf(error)) }),
    );
    const extents = Object.values((await history.extent()) ?? {});
    if (signal.aborted) return;
    this.isReading = false;
    // `extents` lacks the records that could not be written to disk; the groups include them.
    const count = Math.max(
      countIn(read.groups),
      extents.reduce((sum, one) => sum + one.count, 0),
    );
    const since = Math.min(...extents.flatMap((extent) => extent.since ?? []));
    this.shown.send({
      ...{ type: "usage", from, to, ...read, groups: JSON.stringify(read.groups), count },
      ...(Number.isFinite(since) && { since }),
    });
    const end = performance.now();
    this.pauseUntil = end + (end - start) * (1 / readingShare - 1);
    if (this.isOutdated) this.sendAgain();
    this.isOutdated = false;
  }
}

function usageHead() {
  const { dailyLimitCents } = readSettings();
  return { kind: "usage", today: localDay(Date.now()), dailyLimitCents } as const;
}

async function saveChart(file: string, text: string): Promise<void> {
  const ending = file.slice(file.lastIndexOf(".") + 1);
  const target = await askForFile({
    title: vscode.l10n.t("Export Chart"),
    name: file,
    filters: { [ending.toUpperCase()]: [ending] },
  });
  if (target === undefined) return;
  await writeBytes(target, Buffer.from(text, ending === "png" ? "base64" : "utf8"));
}
