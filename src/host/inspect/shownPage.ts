import type * as vscode from "vscode";
import { messageBetween } from "../../protocol/pageChange";
import type {
  FormPart,
  SkillPage,
  SkillPageSnapshot,
  TryIt,
  UsagePart,
} from "../../protocol/pageMessages";
import {
  type PageMessage,
  readPageMessage,
  type SomeHandlers,
} from "../../protocol/readPageMessage";
import { Timer } from "../../registry/wait";
import { LatestRequest } from "../ui/wait";
import type { PageFrame, PageSubject } from "./pageFrame";

/**
 * The time for the editor to render a new panel, in milliseconds. If the content is known within it, the initial page
 * contains it.
 */
const firstWaitMs = 50;

/** The dependencies of a panel that shows a page. */
interface ShownPageParts {
  readonly view: vscode.WebviewPanel;
  readonly frame: Pick<PageFrame, "fill" | "tabIcon">;
  /** The title of the panel, also shown in the page before its content. */
  readonly title: string;
  /** The first content. */
  readonly page: SkillPage;
  /** The handlers for the page's messages, all or some of `PageHandlers`. Other messages are ignored. */
  readonly handlers: SomeHandlers;
  /** The kind of the page. Default: a skill's. */
  readonly subject?: PageSubject;
  /** Called when the page starts to show content: at first, and whenever it was hidden. */
  readonly ready?: () => void;
  /** Called when the panel becomes visible again. */
  readonly seen?: () => void;
}

/**
 * The content of a panel. A page that becomes ready gets all of it, even after it was hidden, and then only changes.
 * Nothing is sent to a hidden or closed panel.
 */
export class ShownPage {
  private shown: SkillPage;
  private isClosed = false;
  /** Whether the page was ever ready. From then on its tab may change. */
  private hasBegun = false;
  /** The content that the page shows; undefined if it is hidden or not ready. */
  private sent: SkillPage | undefined;
  private title: string;
  /** A request for the page, sent once it is ready. */
  private pendingRequest: TryIt | undefined;
  /** Runs until the panel is filled. */
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
    view.onDidChangeViewState(() => {
      // The editor unloads the page of a hidden panel.
      if (!view.visible) this.sent = undefined;
      else parts.seen?.();
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

  /** Whether the panel is visible. */
  get isSeen(): boolean {
    return this.parts.view.visible;
  }

  show(page: SkillPage): void {
    this.shown = page;
    if (this.filling.isRunning) this.fill({ type: "snapshot", page });
    else if (this.sent !== undefined) this.update();
  }

  /** Renames the panel once its page is ready: changing a tab triggers a layout of the window. */
  rename(title: string): void {
    this.title = title;
    if (this.hasBegun && !this.isClosed) this.parts.view.title = title;
  }

  /** Starts loading content. Aborts older loads; closing the panel aborts this one. */
  beginLoad(): AbortSignal {
    return this.loads.begin();
  }

  /** Returns the signal of the current load. */
  joinLoad(): AbortSignal {
    return this.loads.signal;
  }

  /** Sends content that is not in `SkillPage`: the form, or invocations for the Usage page. */
  send(part: FormPart | UsagePart | TryIt): void {
    if (!this.isClosed) void this.parts.view.webview.postMessage(part);
  }

  /** Sends a request to the page, now or once it is ready. */
  request(request: TryIt): void {
    if (this.sent === undefined) this.pendingRequest = request;
    else this.send(request);
  }

  private update(): void {
    const message = messageBetween(this.sent, this.shown);
    this.sent = this.shown;
    if (message !== undefined && !this.isClosed) void this.parts.view.webview.postMessage(message);
  }

  private handle(message: Exclude<PageMessage, { type: "ready" }>): void {
    const { handlers } = this.parts;
    // The handler gets only messages of its own type, which the compiler cannot follow.
    const handler = handlers[message.type] as ((one: PageMessage) => unknown) | undefined;
    void handler?.call(handlers, message);
  }

  private fill(first: SkillPageSnapshot | undefined): void {
    if (this.isClosed) return;
    this.filling.dispose();
    const { view, frame, title, subject } = this.parts;
    frame.fill(view, title, first, subject);
  }

  private begin(): void {
    this.sent = undefined;
    this.update();
    if (!this.hasBegun && !this.isClosed) this.parts.view.iconPath = this.parts.frame.tabIcon;
    this.hasBegun = true;
    this.rename(this.title);
    this.parts.ready?.();
    const { pendingRequest: later } = this;
    this.pendingRequest = undefined;
    if (later !== undefined) this.send(later);
  }
}
