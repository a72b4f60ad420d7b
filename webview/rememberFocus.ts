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
    if (same !== undefined || !wasInView) return same?.focus();
    const tab = root.querySelector<HTMLElement>("vscode-panel-tab[aria-selected=true]");
    if (tab === null) return;
    // The toolkit makes it so too, but later.
    tab.tabIndex = 0;
    tab.focus();
  };
}

function nameOf(element: Element): string {
  return element.id || (element.getAttribute("aria-label") ?? element.textContent ?? "");
}
