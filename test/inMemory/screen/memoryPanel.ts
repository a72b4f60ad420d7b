import type * as vscode from "vscode";
import { EventEmitter } from "../vscode/values";
import { type Board, standIn } from "./board";
import type { Tabs } from "./tabs";

/** A webview in a tab. A test acts as its script: it sends messages and reads the received ones. */

export class MemoryPanel {
  private readonly received = new EventEmitter<unknown>();
  private readonly disposed = new EventEmitter<void>();
  private readonly stateChanged = new EventEmitter<vscode.WebviewPanelOnDidChangeViewStateEvent>();
  /** The messages that the page received, in order. */
  readonly messages: unknown[] = [];
  html = "";
  options: vscode.WebviewOptions = {};
  iconPath: unknown;
  isClosed = false;
  /** The last reported state. A new panel counts as visible and active. */
  private state = { visible: true, active: true };
  readonly api: vscode.WebviewPanel;

  constructor(
    tabs: Tabs,
    board: Board,
    readonly viewType: string,
    public title: string,
    panelOptions: vscode.WebviewPanelOptions & vscode.WebviewOptions,
  ) {
    const self = this;
    this.options = panelOptions;
    const alive = () => {
      if (self.isClosed) throw new Error("Webview is disposed");
    };
    const webview = standIn<vscode.Webview>("Webview", {
      get html() {
        return self.html;
      },
      set html(to: string) {
        alive();
        self.html = to;
        setImmediate(() => !self.isClosed && tabs.loaded(self));
        board.changed();
      },
      get options() {
        return self.options;
      },
      set options(to: vscode.WebviewOptions) {
        self.options = to;
      },
      cspSource: "https://*.vscode-cdn.net",
      asWebviewUri: (uri: vscode.Uri) =>
        uri.with({ scheme: "https", authority: "file+.vscode-resource.vscode-cdn.net" }),
      onDidReceiveMessage: this.received.event,
      postMessage: async (message: unknown) => {
        alive();
        // A page receives a copy.
        self.messages.push(structuredClone(message));
        board.changed();
        return true;
      },
    });
    this.api = standIn<vscode.WebviewPanel>("WebviewPanel", {
      viewType,
      webview,
      options: panelOptions,
      get title() {
        return self.title;
      },
      set title(to: string) {
        alive();
        self.title = to;
        tabs.relabel(self);
      },
      get iconPath() {
        return self.iconPath as vscode.Uri;
      },
      set iconPath(to: vscode.Uri) {
        self.iconPath = to;
      },
      get visible() {
        return tabs.of(self)?.isActive === true;
      },
      get active() {
        return tabs.active?.content === self;
      },
      get viewColumn() {
        return tabs.of(self)?.group.viewColumn;
      },
      onDidDispose: this.disposed.event,
      onDidChangeViewState: this.stateChanged.event,
      reveal: (column?: vscode.ViewColumn, preserveFocus?: boolean) => {
        alive();
        tabs.reveal(self, column, preserveFocus === true);
      },
      dispose: () => tabs.closePanel(self),
    });
  }

  /**
   * Called when tabs have changed: fires an event if its visibility or activity changed. A page that was hidden is
   * reloaded.
   */
  look(loaded: () => void): void {
    const { visible, active } = this.api;
    const before = this.state;
    if (visible === before.visible && active === before.active) return;
    this.state = { visible, active };
    if (visible && !before.visible && this.html !== "") {
      setImmediate(() => !this.isClosed && this.state.visible && loaded());
    }
    this.stateChanged.fire({ webviewPanel: this.api });
  }

  /** As the page: sends its extension a message. */
  send(message: unknown): void {
    this.received.fire(structuredClone(message));
  }

  /** Called when its tab is closed. */
  gone(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.disposed.fire();
  }
}
