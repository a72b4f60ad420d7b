import type {
  ComparisonState,
  DeferredScript,
  HostMessage,
  PageMessage,
  PageState,
  SkillPageSnapshot,
  UsagePart,
  UsageState,
} from "../src/protocol/pageMessages";

type KeptState = PageState | ComparisonState | UsageState;

/** The page's connection to the editor: messages both ways and the state that is kept while the page is hidden. */
export interface PageHost {
  send(message: PageMessage): void;
  /** Calls back with every snapshot. */
  onSnapshot(show: (snapshot: SkillPageSnapshot) => void): void;
  /** Calls back with every script of the extension that should run. */
  onScript(run: (script: DeferredScript) => void): void;
  /** Calls back with every part of the invocations that the Usage page adds up. */
  onUsage(add: (part: UsagePart) => void): void;
  /** The stored state, of this version of the page or another; undefined on first opening. */
  kept(): unknown;
  keep(state: KeptState): void;
}

declare function acquireVsCodeApi(): {
  postMessage(message: PageMessage): void;
  getState(): unknown;
  setState(state: KeptState): void;
};

declare global {
  interface Window {
    /** The editor allows one connection per page, so its scripts share it. */
    pageHost?: PageHost;
  }
}

/** Connects the page to the editor, for all its scripts. */
export function connectToHost(): PageHost {
  const editor = acquireVsCodeApi();
  window.pageHost = {
    send: (message) => editor.postMessage(message),
    onSnapshot: (show) => onMessage("snapshot", show),
    onUsage: (add) => onMessage("usage", add),
    onScript: (run) => onMessage("script", run),
    kept: () => editor.getState(),
    keep: (state) => editor.setState(state),
  };
  return window.pageHost;
}

/** Returns to a later script the connection that the first one has made. */
export function connectedHost(): PageHost {
  if (window.pageHost === undefined) throw new Error("The page is not connected to the editor.");
  return window.pageHost;
}

// The editor's own frame around the page forwards the host's messages. Other frames of the window could send
// messages too; they are of another origin.
function onMessage<Type extends HostMessage["type"]>(
  type: Type,
  receive: (message: Extract<HostMessage, { type: Type }>) => void,
): void {
  window.addEventListener("message", ({ data, origin }: MessageEvent<HostMessage | undefined>) => {
    if (origin !== window.origin || data?.type !== type) return;
    receive(data as Extract<HostMessage, { type: Type }>);
  });
}
