import * as vscode from "vscode";
import { usageSlices } from "../../core/invocation/usage/usageSlices";
import { localDay } from "../../core/text/dates";
import type { InvocationHistory } from "../../engine/invocationHistory";
import { commandIds, viewIds } from "../ids";
import { type PageFrame, pageOptions } from "../inspect/pageFrame";
import { type PageWish, ShownPage } from "../inspect/shownPage";
import { readSettings } from "../settings";
import { hostLanguage } from "../ui/hostLanguage";
import { copyText } from "../ui/messages";
import { askForFile, writeBytes } from "../ui/saveText";

/** The dependencies of the page that shows what invocations came to. */
interface UsagePageParts {
  readonly history: Pick<InvocationHistory, "list" | "find" | "onDidChange">;
  readonly frame: PageFrame;
}

/** The page that shows what the invocations on this machine's record came to: one in a window. */
export class UsagePage {
  private view: vscode.WebviewPanel | undefined;

  constructor(private readonly parts: UsagePageParts) {}

  /** Opens the page, or brings it to the front. */
  open(): void {
    if (this.view !== undefined) {
      this.view.reveal();
      return;
    }
    const title = vscode.l10n.t("Usage");
    const view = vscode.window.createWebviewPanel(
      viewIds.usagePage,
      title,
      vscode.ViewColumn.Active,
      pageOptions,
    );
    this.view = view;
    const { frame, history } = this.parts;
    const shown = new ShownPage({
      view,
      frame,
      title,
      language: hostLanguage(),
      page: usageNow(),
      subject: "usage",
      receive: (wish) => void this.receive(wish),
      ready: () => void sendRecords(shown, history),
    });
    const changes = history.onDidChange(() => {
      // A hidden page asks for everything when it is seen again.
      if (!view.visible) return;
      shown.show(usageNow());
      void sendRecords(shown, history);
    });
    view.onDidDispose(() => {
      changes.dispose();
      this.view = undefined;
    });
  }

  dispose(): void {
    this.view?.dispose();
  }

  private async receive(wish: PageWish): Promise<void> {
    switch (wish.type) {
      case "openRecord": {
        const record = await this.parts.history.find(wish.id);
        await vscode.commands.executeCommand(commandIds.openInvocation, record ?? { id: wish.id });
        return;
      }
      case "openPayload":
        await vscode.commands.executeCommand(commandIds.openPayload);
        return;
      case "copyTable":
        return copyText(wish.text, vscode.l10n.t("Copied"));
      case "saveChart":
        return saveChart(wish.file, wish.text);
    }
  }
}

function usageNow() {
  const { dailyLimitCents } = readSettings();
  return { kind: "usage", today: localDay(Date.now()), dailyLimitCents } as const;
}

/** Sends the record in slices; other work of the host runs between two of them. A newer record drops an older one. */
async function sendRecords(
  shown: ShownPage,
  history: Pick<InvocationHistory, "list">,
): Promise<void> {
  const counts = shown.beginLoad();
  const records = await history.list();
  let isFirst = true;
  const slices = usageSlices(records);
  for (let step = slices.next(); ; ) {
    if (!counts() || step.done === true) return;
    const slice = step.value;
    await new Promise(setImmediate);
    step = slices.next();
    if (!counts()) return;
    shown.send({ type: "usage", slice, isFirst, isLast: step.done === true });
    isFirst = false;
  }
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
