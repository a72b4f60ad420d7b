/**
 * Notes what has the focus in the page. Returns what gives it back after a change: to what has the same
 * name then, and where that is gone, to the tab it was in, so that a reader without a mouse keeps the place.
 */
export function rememberFocus(root: HTMLElement): () => void {
  const focused = document.activeElement;
  if (focused === null || !root.contains(focused)) return () => {};
  const { tagName } = focused;
  const name = nameOf(focused);
  const wasInView = focused.closest("vscode-panel-view") !== null;
  return () => {
    const same = [...root.querySelectorAll<HTMLElement>(tagName)].find(
      (each) => nameOf(each) === name && each.closest("[hidden]") === null,
    );
    const tab = wasInView
      ? root.querySelector<HTMLElement>(`${tabName}[aria-selected=true]`)
      : null;
    const target = same ?? tab;
    // The toolkit makes a tab fit to have the focus too, but later.
    if (target?.matches(tabName)) target.tabIndex = 0;
    if (document.hasFocus()) target?.focus();
    // A page that changes while the user is elsewhere, in a picker for instance, must not take the focus.
    else window.addEventListener("focus", () => target?.focus(), { once: true });
  };
}

const tabName = "vscode-panel-tab";

function nameOf(element: Element): string {
  return element.id || (element.getAttribute("aria-label") ?? element.textContent ?? "");
}

/** Notes which parts of the page are open. Returns what opens the same ones after a change. */
export function rememberOpenParts(root: HTMLElement): () => void {
  const before = new Map(partsOf(root).map((part) => [part.dataset["path"], part.open]));
  return () => {
    for (const part of partsOf(root)) part.open = before.get(part.dataset["path"]) ?? part.open;
  };
}

function partsOf(root: HTMLElement): HTMLDetailsElement[] {
  return [...root.querySelectorAll<HTMLDetailsElement>("details[data-path]")];
}
