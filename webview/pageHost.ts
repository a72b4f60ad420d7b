import { type Translate, translateWith } from "../src/core/text/language";
import { withChange } from "../src/protocol/pageChange";
import { firstSnapshotId, wordsId } from "../src/protocol/pageHtml";
import type {
  ComparisonState,
  FormPart,
  HostMessage,
  PageState,
  SkillPage,
  SkillPageSnapshot,
  UsagePart,
  UsageState,
} from "../src/protocol/pageMessages";
import type { PageMessage } from "../src/protocol/readPageMessage";

type KeptState = PageState | ComparisonState | UsageState;

/** The page's connection to the editor: messages both ways and the state that is kept while the page is hidden. */
export interface PageHost {
  /** Localizes a text of the page's own. */
  readonly t: Translate;
  send(message: PageMessage): void;
  /**
   * Calls back with the page's first content where that is current, then requests the current content and calls back
   * with it and each change.
   */
  onPage(show: (page: SkillPage) => void): void;
  /** Calls back with the form of a payload, and again with each change of it. */
  onForm(show: (part: FormPart) => void): void;
  /** Calls back when the form is to be shown, with the focus in it. */
  onTryIt(show: () => void): void;
  /** Calls back with every part of the invocations that the Usage page adds up. */
  onUsage(add: (part: UsagePart) => void): void;
  /** The stored state, of this version of the page or another; undefined on first opening. */
  kept(): unknown;
  keep(state: KeptState): void;
  /**
   * Draws the page immediately. While something in it is pressed, waits for the release and then runs only the last
   * drawing: an element that is redrawn under the pointer gets no click.
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
    t: translateWith(dataIn(wordsId) ?? {}),
    send: (message) => editor.postMessage(message),
    onPage: (show) => {
      let shown: SkillPage | undefined;
      const follow = (page: SkillPage) => {
        shown = page;
        show(page);
      };
      onMessage("snapshot", ({ page }) => follow(page));
      // A change refers to earlier content, so it waits for the answer to `ready`.
      onMessage("change", (change) => shown && follow(withChange(shown, change)));
      const first = dataIn<SkillPageSnapshot>(firstSnapshotId);
      // A page that comes back was written a while ago.
      if (first !== undefined && editor.getState() === undefined) follow(first.page);
      editor.postMessage({ type: "ready" });
    },
    onForm: (show) => onMessage("form", show),
    onTryIt: (show) => onMessage("tryIt", show),
    onUsage: (add) => onMessage("usage", add),
    kept: () => editor.getState(),
    keep: (state) => editor.setState(state),
    afterPress: watchPresses(),
  };
}

/** Reads what an element of the page holds as JSON. Undefined where there is no such element. */
function dataIn<Data>(id: string): Data | undefined {
  const text = document.getElementById(id)?.textContent;
  return text ? (JSON.parse(text) as Data) : undefined;
}

/**
 * What a click acts on. For other presses the page may miss the release: the list of a select takes the pointer, and so
 * do scroll bars.
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
  // Only when the window loses the focus: a press takes it from an element, and that event does not bubble.
  window.addEventListener("blur", release);
  // A release outside of the window may be missed.
  listen("pointermove", ({ buttons }) => {
    if (buttons === 0) release();
  });
  return (draw) => {
    waiting = draw;
    drawWaiting();
  };
}

// The editor's frame around the page forwards the host's messages. Other frames could send messages too, from another
// origin.
function onMessage<Type extends HostMessage["type"]>(
  type: Type,
  receive: (message: Extract<HostMessage, { type: Type }>) => void,
): void {
  window.addEventListener("message", ({ data, origin }: MessageEvent<HostMessage | undefined>) => {
    if (origin !== window.origin || data?.type !== type) return;
    receive(data as Extract<HostMessage, { type: Type }>);
  });
}
