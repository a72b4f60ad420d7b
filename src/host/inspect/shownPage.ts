import type * as vscode from "vscode";
import type { HostMessage, SkillPage, SkillPageSnapshot } from "../../protocol/pageMessages";
import {
  type PageMessage,
  readPageMessage,
  type SomeHandlers,
} from "../../protocol/readPageMessage";
import { Timer } from "../../registry/wait";
import type { HostLanguage } from "../ui/hostLanguage";
import { LatestRequest } from "../ui/wait";
import type { PageFrame, PageSubject } from "./pageFrame";

/**
 * The editor takes about this many milliseconds to render a new panel. Content known by then is part of the
 * initial page.
 */
const firstWaitMs = 50;

/** The dependencies of a panel that shows a page. */
export interface ShownPageParts {
  readonly view: vscode.WebviewPanel;
  readonly frame: Pick<PageFrame, "fill" | "tabIcon">;
  readonly language: HostLanguage;
  /** The title of the panel, also shown in the page until there is content. */
  readonly title: string;
  /** The first content. */
  readonly page: SkillPage;
  /** What is done for the messages of the page: a `PageHandlers` of what it is. Others of the table do nothing. */
  readonly handlers: SomeHandlers;
  /** What the page is for. Default: skills. */
  readonly subject?: PageSubject;
  /** Called when the page shows what it is sent: at first, and whenever it was hidden. */
  readonly ready?: () => void;
}

/**
 * The content of a panel. Sent to the page in complete snapshots, when it is ready for them and at every change;
 * nothing is sent once the panel is closed.
 */
export class ShownPage {
  private shown: SkillPage;
  private isClosed = false;
  private isReady = false;
  private title: string;
  /** Set while the panel is still to be filled. */
  private readonly filling = new Timer();
  private readonly loads = new LatestRequest();

  constructor(private readonly parts: ShownPageParts) {
    this.shown = parts.page;
    this.title = parts.title;
    const { view } = parts;
    view.webview.onDidReceiveMessage((value: unknown) => {
      const message = readPageMessage(value);
      if (message?.type === "ready") this.begin();
      else if (message !== undefined) this.handle(message);
    });
    view.onDidDispose(() => {
      this.isClosed = true;
      this.loads.dispose();
      this.filling.dispose();
    });
    this.filling.after(firstWaitMs, () => this.fill(undefined));
  }

  get page(): SkillPage {
    return this.shown;
  }

  show(page: SkillPage): void {
    this.shown = page;
    if (this.filling.isRunning) this.fill(this.snapshot);
    else if (this.isReady) this.send(this.snapshot);
  }

  /**
   * Renames the panel, but not before its page is ready: changing a tab triggers a layout of the window.
   */
  rename(title: string): void {
    this.title = title;
    if (this.isReady && !this.isClosed) this.parts.view.title = title;
  }

  /** Starts loading content: aborts older loads, as does the end of the panel. */
  beginLoad(): AbortSignal {
    return this.loads.begin();
  }

  /** Joins the current load. */
  joinLoad(): AbortSignal {
    return this.loads.signal;
  }

  /** Sends a part of what is shown, of which a snapshot would be too large. */
  send(message: HostMessage): void {
    if (!this.isClosed) void this.parts.view.webview.postMessage(message);
  }

  private handle(message: Exclude<PageMessage, { type: "ready" }>): void {
    const { handlers } = this.parts;
    // The handler of a type takes the messages of that type, which the compiler does not follow.
    const handler = handlers[message.type] as ((one: PageMessage) => unknown) | undefined;
    void handler?.call(handlers, message);
  }

  private fill(first: SkillPageSnapshot | undefined): void {
    if (this.isClosed) return;
    this.filling.dispose();
    const { view, frame, title, subject } = this.parts;
    frame.fill(view, title, first, subject);
  }

  private get snapshot(): SkillPageSnapshot {
    return { type: "snapshot", page: this.shown, words: this.parts.language.words };
  }

  private begin(): void {
    this.send(this.snapshot);
    if (!this.isReady) this.parts.view.iconPath = this.parts.frame.tabIcon;
    this.isReady = true;
    this.rename(this.title);
    this.parts.ready?.();
  }
}
