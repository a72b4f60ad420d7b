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

/**
 * The page's connection to the editor: messages in both directions, and state that survives while the page is hidden.
 */
export interface PageHost {
  /** Localizes a text of the page. */
  readonly t: Translate;
  send(message: PageMessage): void;
  /**
   * Calls back with the first content if it is current. Then requests the current content and calls back with it and
   * with each change.
   */
  onPage(show: (page: SkillPage) => void): void;
  /** Calls back with the form of a payload and with each change of it. */
  onForm(show: (part: FormPart) => void): void;
  /** Calls back when the form is to be shown and focused. */
  onTryIt(show: () => void): void;
  /** Calls back with the invocations that the Usage page requested. */
  onUsage(add: (part: UsagePart) => void): void;
  /** Returns the stored state, which another version of the page may have written; undefined on first opening. */
  kept(): unknown;
  keep(state: KeptState): void;
  /**
   * Draws the page immediately. While something clickable is pressed, waits for the release, since an element that is
   * redrawn under the pointer gets no click. Only the last pending drawing runs.
   */
  afterPress(draw: () => void): void;
}

declare function acquireVsCodeApi(): {
  postMessage(message: PageMessage): void;
  getState(): unknown;
  setState(state: KeptState): void;
};

/** Connects the page to the editor. The editor allows this only once. */
export function connectToHost(): PageHost {
  const editor = acquireVsCodeApi();
  const receivers = receiveMessages();
  return {
    t: translateWith(dataIn(wordsId) ?? {}),
    send: (message) => editor.postMessage(message),
    onPage: (show) => {
      let shown: SkillPage | undefined;
      const follow = (page: SkillPage) => {
        shown = page;
        show(page);
      };
      receivers.snapshot = ({ page }) => follow(page);
      // A change is relative to earlier content. Without any, the response to `ready` brings everything.
      receivers.change = (change) => shown && follow(withChange(shown, change));
      const first = dataIn<SkillPageSnapshot>(firstSnapshotId);
      // With a stored state, the page was restored and its first content may be stale.
      if (first !== undefined && editor.getState() === undefined) follow(first.page);
      editor.postMessage({ type: "ready" });
    },
    onForm: (show) => {
      receivers.form = show;
    },
    onTryIt: (show) => {
      receivers.tryIt = show;
    },
    onUsage: (add) => {
      receivers.usage = add;
    },
    kept: () => editor.getState(),
    keep: (state) => editor.setState(state),
    afterPress: watchPresses(),
  };
}

/** Parses the JSON in an element of the page. Undefined if there is no such element. */
function dataIn<Data>(id: string): Data | undefined {
  const text = document.getElementById(id)?.textContent;
  return text ? (JSON.parse(text) as Data) : undefined;
}

/**
 * Selectors of elements that react to a click. Other presses are ignored, because their release may be lost: lists of
 * selects and scroll bars capture the pointer.
 */
const clickable = [
  "vscode-button",
  "vscode-panel-tab",
  "button",
  "summary",
  "label:not(:has(select))",
  "svg",
].join();

/** Tracks presses of the primary button, a finger or the space bar. Returns `afterPress` of `PageHost`. */
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
    // The click event follows the release.
    setTimeout(drawWaiting);
  };
  const press = ({ target }: Event) => {
    if (target instanceof Element && target.closest(clickable) !== null) isPressed = true;
    else release();
  };
  const listen = <Type extends keyof WindowEventMap>(
    type: Type,
    handle: (event: WindowEventMap[Type]) => void,
  ) => window.addEventListener(type, handle, { capture: true });
  listen("pointerdown", (event) => {
    if (event.button === 0) press(event);
  });
  listen("keydown", (event) => {
    if (event.key === " ") press(event);
  });
  for (const end of ["pointerup", "pointercancel", "keyup"] as const) listen(end, release);
  // Without `capture`, so that only the window's own blur counts: blur events of elements do not bubble.
  window.addEventListener("blur", release);
  // A release outside of the window may be lost.
  listen("pointermove", ({ buttons }) => {
    if (buttons === 0) release();
  });
  return (draw) => {
    waiting = draw;
    drawWaiting();
  };
}

/** What the page does with each message of the host. */
type Receivers = {
  [Type in HostMessage["type"]]: (message: Extract<HostMessage, { type: Type }>) => void;
};

/** Receives the host's messages, and ignores each kind until somebody sets its receiver. */
function receiveMessages(): Receivers {
  const ignore = () => undefined;
  const receivers: Receivers = {
    snapshot: ignore,
    change: ignore,
    form: ignore,
    tryIt: ignore,
    usage: ignore,
  };
  // The editor's frame around the page forwards the host's messages. Frames of other origins could send messages too.
  window.addEventListener("message", ({ data, origin }: MessageEvent<HostMessage | undefined>) => {
    if (origin !== window.origin || data === undefined) return;
    if (!Object.hasOwn(receivers, data.type)) return;
    (receivers[data.type] as (message: HostMessage) => void)(data);
  });
  return receivers;
}
