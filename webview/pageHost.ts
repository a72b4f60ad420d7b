import { firstSnapshotId } from "../src/protocol/pageHtml";
import type {
  ComparisonState,
  HostMessage,
  PageState,
  SkillPageSnapshot,
  UsagePart,
  UsageState,
} from "../src/protocol/pageMessages";
import type { PageMessage } from "../src/protocol/readPageMessage";

type KeptState = PageState | ComparisonState | UsageState;

/** The page's connection to the editor: messages both ways and the state that is kept while the page is hidden. */
export interface PageHost {
  send(message: PageMessage): void;
  /**
   * Calls back with what the page came with, where that still holds, then asks for what holds and calls back with every
   * snapshot.
   */
  onSnapshot(show: (snapshot: SkillPageSnapshot) => void): void;
  /** Calls back with every part of the invocations that the Usage page adds up. */
  onUsage(add: (part: UsagePart) => void): void;
  /** The stored state, of this version of the page or another; undefined on first opening. */
  kept(): unknown;
  keep(state: KeptState): void;
  /**
   * Draws the page at once, or, while something is pressed in it, when that was released, and then the last that was
   * asked for alone: what is drawn anew under the pointer takes no click.
   */
  afterPress(draw: () => void): void;
}

declare function acquireVsCodeApi(): {
  postMessage(message: PageMessage): void;
  getState(): unknown;
  setState(state: KeptState): void;
};

/** Connects the page to the editor, which allows that once. */
export function connectToHost(): PageHost {
  const editor = acquireVsCodeApi();
  return {
    send: (message) => editor.postMessage(message),
    onSnapshot: (show) => {
      onMessage("snapshot", show);
      const first = document.getElementById(firstSnapshotId)?.textContent;
      // A page that comes back was written a while ago.
      if (first && editor.getState() === undefined) show(JSON.parse(first) as SkillPageSnapshot);
      editor.postMessage({ type: "ready" });
    },
    onUsage: (add) => onMessage("usage", add),
    kept: () => editor.getState(),
    keep: (state) => editor.setState(state),
    afterPress: watchPresses(),
  };
}

/**
 * What a click does something to. Of other presses the page may not hear the end: the list of a select takes the
 * pointer, and so do scroll bars.
 */
const clickable = [
  "vscode-button",
  "vscode-panel-tab",
  "button",
  "summary",
  "label:not(:has(select))",
  "svg",
].join();

/** Watches the primary button, or a finger, and the space bar. Returns PageHost's `afterPress`. */
function watchPresses(): PageHost["afterPress"] {
  let isPressed = false;
  let waiting: (() => void) | undefined;
  const drawWaiting = () => {
    if (isPressed) return;
    const draw = waiting;
    waiting = undefined;
    draw?.();
  };
  const release = () => {
    if (!isPressed) return;
    isPressed = false;
    // The click comes right after the release.
    setTimeout(drawWaiting);
  };
  const press = ({ target }: Event) => {
    if (target instanceof Element && target.closest(clickable) !== null) isPressed = true;
    else release();
  };
  const listen = <Type extends keyof WindowEventMap>(
    type: Type,
    hear: (event: WindowEventMap[Type]) => void,
  ) => window.addEventListener(type, hear, { capture: true });
  listen("pointerdown", (event) => {
    if (event.button === 0) press(event);
  });
  listen("keydown", (event) => {
    if (event.key === " ") press(event);
  });
  for (const end of ["pointerup", "pointercancel", "keyup"] as const) listen(end, release);
  // Of the window alone: a press takes the focus from an element, which does not bubble.
  window.addEventListener("blur", release);
  // A release outside of the window, for instance, is not heard.
  listen("pointermove", ({ buttons }) => {
    if (buttons === 0) release();
  });
  return (draw) => {
    waiting = draw;
    drawWaiting();
  };
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
