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
 * The editor takes about this many milliseconds to render a new panel. Content known by then is part of the
 * initial page.
 */
const firstWaitMs = 50;

/** The dependencies of a panel that shows a page. */
export interface ShownPageParts {
  readonly view: vscode.WebviewPanel;
  readonly frame: Pick<PageFrame, "fill" | "tabIcon">;
  /** The title of the panel, also shown in the page until there is content. */
  readonly title: string;
  /** The first content. */
  readonly page: SkillPage;
  /** What is done for the messages of the page: a `PageHandlers` of what it is. Others of the table do nothing. */
  readonly handlers: SomeHandlers;
  /** The kind of the page. Default: skills. */
  readonly subject?: PageSubject;
  /** Called when the page shows what it is sent: at first, and whenever it was hidden. */
  readonly ready?: () => void;
  /** Called when the panel is seen again. */
  readonly seen?: () => void;
}

/**
 * The content of a panel. A page that is ready gets all of it, also after it was hidden, and then only changes. Nothing
 * is sent to a hidden or closed panel.
 */
export class ShownPage {
  private shown: SkillPage;
  private isClosed = false;
  /** Whether the page was ever ready; from then on its tab may change. */
  private hasBegun = false;
  /** The content that the page shows; undefined where it is hidden or not ready. */
  private sent: SkillPage | undefined;
  private title: string;
  /** What the page is sent once it shows what it is sent. */
  private later: TryIt | undefined;
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

  /** Starts loading content. Aborts older loads; the end of the panel aborts this one. */
  beginLoad(): AbortSignal {
    return this.loads.begin();
  }

  /** Joins the current load. */
  joinLoad(): AbortSignal {
    return this.loads.signal;
  }

  /** Sends content besides `SkillPage`: the form, or the invocations for the Usage page. */
  send(part: FormPart | UsagePart | TryIt): void {
    if (!this.isClosed) void this.parts.view.webview.postMessage(part);
  }

  /** Sends a request to the page, which waits where the page is not ready. */
  request(request: TryIt): void {
    if (this.sent === undefined) this.later = request;
    else this.send(request);
  }

  private update(): void {
    const message = messageBetween(this.sent, this.shown);
    this.sent = this.shown;
    if (message !== undefined && !this.isClosed) void this.parts.view.webview.postMessage(message);
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

  private begin(): void {
    this.sent = undefined;
    this.update();
    if (!this.hasBegun && !this.isClosed) this.parts.view.iconPath = this.parts.frame.tabIcon;
    this.hasBegun = true;
    this.rename(this.title);
    this.parts.ready?.();
    const { later } = this;
    this.later = undefined;
    if (later !== undefined) this.send(later);
  }
}
