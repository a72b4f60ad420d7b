import type * as vscode from "vscode";
import type {
  HostMessage,
  PageMessage,
  PageScript,
  SkillPage,
  SkillPageSnapshot,
} from "../../protocol/pageMessages";
import { readPageMessage } from "../../protocol/readPageMessage";
import { type IsLatest, LatestRequest } from "../latestRequest";
import type { HostLanguage } from "../messages/hostLanguage";
import type { PageFrame } from "./pageFrame";

/**
 * The editor needs about this many milliseconds until it looks at what is in a new panel. What is known
 * by then stands in the page from the start.
 */
const firstWaitMs = 50;

/** What a page may ask of its panel. */
export type PageWish = Exclude<PageMessage, { type: "needScript" }>;

/** What a panel needs to show a page. */
export interface ShownPageParts {
  readonly view: vscode.WebviewPanel;
  readonly frame: Pick<PageFrame, "fill" | "lateScript" | "tabIcon">;
  readonly language: HostLanguage;
  /** Names the panel, and stands in the page until it is told what to show. */
  readonly title: string;
  /** What is shown first. */
  readonly page: SkillPage;
  readonly receive: (wish: PageWish) => void;
}

/**
 * What a panel shows. Goes to the page in complete snapshots, behind the script that shows them and at
 * every change after it; nothing is sent once the panel is closed.
 */
export class ShownPage {
  private shown: SkillPage;
  private isClosed = false;
  private isPainted = false;
  private title: string;
  /** Runs while the panel is still to be filled. */
  private filling: NodeJS.Timeout | undefined;
  private readonly loads = new LatestRequest();

  constructor(private readonly parts: ShownPageParts) {
    this.shown = parts.page;
    this.title = parts.title;
    const { view, receive } = parts;
    view.webview.onDidReceiveMessage((value: unknown) => {
      const message = readPageMessage(value);
      if (message?.type === "needScript") this.addWhatIsLate(message.script);
      else if (message !== undefined) receive(message);
    });
    view.onDidDispose(() => {
      this.isClosed = true;
      this.loads.begin();
      clearTimeout(this.filling);
    });
    this.filling = setTimeout(() => this.fill(undefined), firstWaitMs);
  }

  get page(): SkillPage {
    return this.shown;
  }

  show(page: SkillPage): void {
    this.shown = page;
    if (this.filling !== undefined) this.fill(this.snapshot);
    else if (this.isPainted) this.send(this.snapshot);
  }

  /** Names the panel, not before its first words are painted: a tab that changes lays out the window again. */
  rename(title: string): void {
    this.title = title;
    if (this.isPainted && !this.isClosed) this.parts.view.title = title;
  }

  /** Begins to load what to show; an older load, and any after the panel is closed, no longer counts. */
  beginLoad(): IsLatest {
    return this.loads.begin();
  }

  /** Takes part in the load that counts. */
  joinLoad(): IsLatest {
    return this.loads.join();
  }

  private fill(first: SkillPageSnapshot | undefined): void {
    if (this.isClosed) return;
    clearTimeout(this.filling);
    this.filling = undefined;
    const { view, frame, title } = this.parts;
    frame.fill(view, title, first);
  }

  private get snapshot(): SkillPageSnapshot {
    return { type: "snapshot", page: this.shown, words: this.parts.language.words };
  }

  private addWhatIsLate(script: PageScript): void {
    const { view, frame } = this.parts;
    this.send({ type: "script", text: frame.lateScript(script) });
    if (script !== "page") return;
    this.send(this.snapshot);
    if (!this.isPainted) view.iconPath = frame.tabIcon;
    this.isPainted = true;
    this.rename(this.title);
  }

  private send(message: HostMessage): void {
    if (!this.isClosed) void this.parts.view.webview.postMessage(message);
  }
}
