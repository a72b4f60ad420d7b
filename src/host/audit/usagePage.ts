import * as vscode from "vscode";
import type { InvocationRecord } from "../../core/invocation/record/invocationRecord";
import { type ProjectUsage, projectUsage } from "../../core/invocation/usage/projectUsage";
import { usageChanges, usageSlices } from "../../core/invocation/usage/usageSlices";
import { localDay } from "../../core/text/dates";
import type { InvocationHistory } from "../../engine/record/invocationHistory";
import { ownRecords } from "../../engine/record/ownRecords";
import type { PageHandlers } from "../../protocol/readPageMessage";
import { otherWork } from "../../registry/wait";
import { commandIds, pageIds } from "../ids";
import type { PageFrame } from "../inspect/pageFrame";
import { ShownPage } from "../inspect/shownPage";
import { readSettings } from "../settings";
import { hostLanguage } from "../ui/hostLanguage";
import { copyText } from "../ui/messages";
import { Owner } from "../ui/owner";
import { askForFile, writeBytes } from "../ui/saveText";
import type { CurrentProject } from "../workspace/currentProject";

/** The dependencies of the Usage page. */
interface UsagePageParts {
  readonly history: Pick<InvocationHistory, "list" | "find" | "onDidChange">;
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

  /** The page stores the reader's choices itself. */
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

/** The open page. It follows the record and the project while it is visible. */
class UsagePanel extends Owner {
  private readonly shown: ShownPage;
  private readonly handlers: PageHandlers<"usage"> = {
    readProject: async () => {
      this.asksForProject = true;
      await this.parts.project.refreshIfOld();
      await this.showHead();
    },
    openRecord: async ({ id }) => {
      const record = await this.parts.history.find(id);
      await vscode.commands.executeCommand(commandIds.openInvocation, record ?? { id });
    },
    openPayload: () => vscode.commands.executeCommand(commandIds.openPayload),
    copyTable: ({ text }) => copyText(text, vscode.l10n.t("Copied")),
    saveChart: ({ file, text }) => saveChart(file, text),
  };
  /** The records that the page has, and whether it has all of them. */
  private readonly sent = new Map<string, InvocationRecord>();
  private isWhole = false;
  private asksForProject = false;

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
      ready: () => {
        this.sent.clear();
        this.isWhole = false;
        void this.sendRecords();
        void this.showHead();
      },
    });
    // A hidden page requests everything when it is visible again.
    this.own(
      history.onDidChange(() => {
        if (!view.visible) return;
        void this.sendRecords();
        void this.showHead();
        if (this.asksForProject) void project.refreshIfOld();
      }),
      project.onDidChange(() => {
        if (!view.visible) return;
        void this.showHead();
        // Another account or registry came into use.
        if (this.asksForProject && project.state.kind === "loading") void project.refreshIfOld();
      }),
    );
  }

  /** Shows the current day, limit and project. */
  private async showHead(): Promise<void> {
    const project = await this.projectUsage();
    const head = { ...usageHead(), ...(project !== undefined && { project }) };
    this.shown.show(head);
  }

  /** Undefined where nobody is signed in, which needs no request. */
  private async projectUsage(): Promise<ProjectUsage | undefined> {
    const { project, history } = this.parts;
    const isSignedIn = (await project.accounts.inUse()) !== undefined;
    const { state } = project;
    const hasEnded = state.kind === "signedOut" && state.hasEnded;
    if (!isSignedIn && !hasEnded) return undefined;
    const own = await ownRecords(history, state);
    return projectUsage(state, own, Date.now(), hostLanguage());
  }

  /**
   * Sends new records in slices, and yields between them. A newer change cancels an older one and includes its records.
   */
  private async sendRecords(): Promise<void> {
    const { shown, sent } = this;
    const signal = shown.beginLoad();
    const records = await this.parts.history.list();
    if (signal.aborted) return;
    const isFirst = sent.size === 0;
    const { changed, gone } = usageChanges(sent, records);
    if (this.isWhole && changed.length === 0 && gone.length === 0) return;
    let done = 0;
    for (const slice of usageSlices(changed)) {
      await otherWork();
      if (signal.aborted) return;
      const begins = done === 0;
      for (const id of begins ? gone : []) sent.delete(id);
      const end = done + slice.rows.length;
      for (const record of changed.slice(done, end)) sent.set(record.id, record);
      done = end;
      this.isWhole = done === changed.length;
      shown.send({
        type: "usage",
        slice,
        gone: begins ? gone : [],
        isFirst: isFirst && begins,
        isLast: this.isWhole,
      });
    }
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
