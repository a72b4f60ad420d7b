import { tabId } from "../src/page/skillTabs";
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
 * others when there is time or when they are chosen, so that a page shows without waiting for them. They
 * can be pressed before the toolkit is there.
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
  const choose = (element: unknown) => {
    const tab = all.find(({ id }) => element instanceof Element && tabId(id) === element.id);
    if (tab === undefined) return undefined;
    fill(tab);
    options.onTab(tab.id);
    return tab;
  };
  made.addEventListener("change", (event) => {
    // The event names the tab; the attribute of the panels follows later.
    choose(event instanceof CustomEvent ? event.detail : undefined);
  });
  made.addEventListener("click", ({ target }) => {
    if (made.matches(":defined")) return;
    const chosen = choose(target);
    if (chosen === undefined) return;
    made.setAttribute("activeid", tabId(chosen.id));
    for (const tab of made.querySelectorAll("vscode-panel-tab")) {
      tab.setAttribute("aria-selected", String(tab === target));
    }
    for (const [id, view] of views) view.hidden = id !== chosen.id;
  });
  return made;
}
