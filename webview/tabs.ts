import type { PageTab } from "../src/protocol/pageState";
import { element } from "./element";

/** One tab: its label and what it shows. */
export interface Tab {
  readonly id: PageTab;
  readonly label: string;
  /** Makes what it shows, once. */
  readonly content: () => HTMLElement;
}

/** Sent by a tab when it has been filled. It bubbles. */
export const filledEvent = "filled";

/**
 * Makes tabs of the toolkit. Arrow keys move between them. The chosen one is filled at once, the
 * others when there is time or when they are chosen, so that a page shows without waiting for them.
 */
export function tabs(
  all: readonly Tab[],
  options: {
    readonly label: string;
    readonly chosen: PageTab;
    readonly onTab: (tab: PageTab) => void;
  },
): HTMLElement {
  const views = new Map(
    all.map(({ id }) => [
      id,
      element("vscode-panel-view", { id: `${id}-view`, hidden: id !== options.chosen }),
    ]),
  );
  const fill = ({ id, content }: Tab) => {
    const view = views.get(id);
    if (view === undefined || view.childElementCount > 0) return;
    view.append(content());
    view.dispatchEvent(new Event(filledEvent, { bubbles: true }));
  };
  for (const tab of all) {
    if (tab.id === options.chosen) fill(tab);
    else requestIdleCallback(() => fill(tab), { timeout: 200 });
  }
  const made = element(
    "vscode-panels",
    { activeid: tabId(options.chosen), "aria-label": options.label },
    ...all.map(({ id, label }) =>
      element(
        "vscode-panel-tab",
        { id: tabId(id), "aria-selected": String(id === options.chosen) },
        label,
      ),
    ),
    ...views.values(),
  );
  made.addEventListener("change", (event) => {
    // The event names the tab; the attribute of the panels follows later.
    const chosen = event instanceof CustomEvent ? event.detail : undefined;
    const tab = all.find(({ id }) => chosen instanceof Element && tabId(id) === chosen.id);
    if (tab === undefined) return;
    fill(tab);
    options.onTab(tab.id);
  });
  return made;
}

function tabId(tab: PageTab): string {
  return `${tab}-tab`;
}
