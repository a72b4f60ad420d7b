import type { ComparisonState } from "../src/protocol/comparisonState";
import type { PageState } from "../src/protocol/pageState";
import type { PageMessage, SkillPageSnapshot } from "../src/protocol/skillPage";

/** The page's side of the editor: messages both ways and what is kept while the page is hidden. */
export interface PageHost {
  send(message: PageMessage): void;
  /** Calls back with every snapshot. */
  onSnapshot(show: (snapshot: SkillPageSnapshot) => void): void;
  /** What was kept, of this version of the page or another; undefined on first opening. */
  kept(): unknown;
  keep(state: PageState | ComparisonState): void;
}

declare function acquireVsCodeApi(): {
  postMessage(message: PageMessage): void;
  getState(): unknown;
  setState(state: PageState | ComparisonState): void;
};

/** Connects to the editor. The editor allows this once in the life of a page. */
export function connectToHost(): PageHost {
  const editor = acquireVsCodeApi();
  return {
    send: (message) => editor.postMessage(message),
    onSnapshot: (show) =>
      window.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
        if (isSnapshot(data)) show(data);
      }),
    kept: () => editor.getState(),
    keep: (state) => editor.setState(state),
  };
}

// The host is trusted; this only keeps other senders' messages, such as a browser tool's, apart.
function isSnapshot(data: unknown): data is SkillPageSnapshot {
  return typeof data === "object" && data !== null && "type" in data && data.type === "snapshot";
}
