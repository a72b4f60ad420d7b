import type { PageTab } from "../src/protocol/pageState";
import { element } from "./element";

/** One tab: its label and what it shows. */
export interface Tab {
  readonly id: PageTab;
  readonly label: string;
  readonly content: HTMLElement;
}

/** Makes tabs of the toolkit. Arrow keys move between them. */
export function tabs(
  all: readonly Tab[],
  options: {
    readonly label: string;
    readonly chosen: PageTab;
    readonly onTab: (tab: PageTab) => void;
  },
): HTMLElement {
  const made = element(
    "vscode-panels",
    { activeid: tabId(options.chosen), "aria-label": options.label },
    ...all.map(({ id, label }) => element("vscode-panel-tab", { id: tabId(id) }, label)),
    ...all.map(({ id, content }) => element("vscode-panel-view", { id: `${id}-view` }, content)),
  );
  made.addEventListener("change", (event) => {
    // The event names the tab; the attribute of the panels follows later.
    const chosen = event instanceof CustomEvent ? event.detail : undefined;
    const tab = all.find(({ id }) => chosen instanceof Element && tabId(id) === chosen.id);
    if (tab !== undefined) options.onTab(tab.id);
  });
  return made;
}

function tabId(tab: PageTab): string {
  return `${tab}-tab`;
}
